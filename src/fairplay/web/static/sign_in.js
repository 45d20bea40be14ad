// A link of the owner carries its key after #, which no browser sends; here it is posted, once.
const key = location.hash.slice(1);
if (key) {
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("with-link");
  document.getElementById("with-token").hidden = true;
  form.hidden = false;
  form.elements.key.value = key;
  form.submit();
}
