// Filters the list of operations: every word must occur in the method, path, summary or description.
const box = document.getElementById('filter');
const count = document.getElementById('count');

function apply() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const section of document.querySelectorAll('[data-group]')) {
    let any = false;
    for (const item of section.querySelectorAll('li')) {
      const text = `${item.textContent.toLowerCase()} ${item.dataset.text}`;
      const fits = words.every((word) => text.includes(word));
      item.hidden = !fits;
      if (fits) shown += 1;
      any ||= fits;
    }
    section.hidden = !any;
  }
  count.value = words.length ? `${shown} operations` : '';
}

if (box) {
  box.addEventListener('input', apply);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    }
  });
  // A link such as /docs?q=memories opens the page filtered.
  box.value = new URLSearchParams(location.search).get('q') ?? box.value;
  apply();
}
