// Sets the theme and density before the first paint, from what the person chose last in this browser.
(() => {
  let look = {};
  try {
    look = JSON.parse(localStorage.getItem('atrium.look') ?? '{}');
  } catch {
    // A browser that keeps nothing, or a broken entry: the system's choice holds.
  }
  const dark = look.theme ? look.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.density = look.density === 'compact' ? 'compact' : 'comfortable';
})();
