// Lists of boards: the owner may delete one.
document.addEventListener("click", async ({ target }) => {
  const { drop, name } = target.dataset;
  if (!drop || !confirm(`Delete ${name}?`)) return;
  const response = await fetch(`/api/boards/${drop}`, { method: "DELETE" });
  if (response.ok) target.closest("li").remove();
  else alert(`The server answered ${response.status}.`);
});
