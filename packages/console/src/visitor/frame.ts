/** Talks with the script that put this page into another one: when it is ready, and when it is to be closed. */
export function joinFrame(): void {
  const { parent } = window;
  if (parent === window) return;
  window.addEventListener('message', ({ source, data }) => {
    // The button of the page around stands over this one on small screens: the heading makes room for it.
    if (source === parent && /^atrium-chat:(?:covers|beside)$/.test(String(data)))
      document.documentElement.toggleAttribute('data-covered', data === 'atrium-chat:covers');
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) parent.postMessage('atrium-chat:close', '*');
  });
  // Says nothing of the conversation, so any page may hear it; the policy decides which ones show this page at all.
  parent.postMessage('atrium-chat:ready', '*');
}
