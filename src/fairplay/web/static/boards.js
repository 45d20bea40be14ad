// Lists of boards: the owner may delete one.
document.addEventListener("click", async ({ target }) => {
  const { board, name } = target.dataset;
  if (!board || !confirm(`Delete ${name}?`)) return;
  const response = await fetch(`/api/boards/${board}`, { method: "DELETE" });
  if (response.ok) target.closest("li").remove();
  else alert(`The server answered ${response.status}.`);
});
