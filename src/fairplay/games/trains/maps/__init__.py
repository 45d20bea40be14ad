"""The maps of Trains: those that come with the package, maps as files, and random ones."""
