// Puts a chat into another page: <script src="https://…/embed/TOKEN.js" async data-color="#3559e0" data-label="Chat"></script>
(() => {
  const script = document.currentScript;
  if (!script || document.getElementById('atrium-chat')) return;
  const address = new URL(script.src);
  const page = `${address.origin}${address.pathname.replace(/\/embed\/([^/]+)\.js$/, '/chat/$1')}`;
  const label = script.dataset.label || 'Chat';
  const color = /^#[\da-f]{6}$/i.test(script.dataset.color ?? '') ? script.dataset.color : '#3559e0';
  const style = (element, properties) => Object.assign(element.style, properties);

  const button = document.createElement('button');
  button.id = 'atrium-chat';
  button.type = 'button';
  button.setAttribute('aria-expanded', 'false');
  style(button, {
    position: 'fixed',
    right: '20px',
    bottom: '20px',
    zIndex: '2147483646',
    width: '56px',
    height: '56px',
    padding: '0',
    border: '0',
    borderRadius: '50%',
    background: color,
    color: '#fff',
    cursor: 'pointer',
    boxShadow: '0 4px 16px rgb(0 0 0 / 0.25)',
  });

  let frame;
  let ready = false;
  const isOpen = () => frame !== undefined && frame.style.display !== 'none';
  // On a small screen the chat takes all of it, and the button becomes the way back.
  const fit = () => {
    const small = window.innerWidth < 520;
    if (ready) frame.contentWindow.postMessage(small ? 'atrium-chat:covers' : 'atrium-chat:beside', address.origin);
    if (frame)
      style(
        frame,
        small
          ? { inset: '0', right: '0', bottom: '0', width: '100%', height: '100%', borderRadius: '0' }
          : {
              inset: 'auto 20px 88px auto',
              width: '400px',
              height: 'min(640px, calc(100vh - 108px))',
              borderRadius: '16px',
            },
      );
    style(
      button,
      small && isOpen()
        ? { top: '8px', bottom: 'auto', right: '8px', width: '40px', height: '40px' }
        : { top: 'auto', bottom: '20px', right: '20px', width: '56px', height: '56px' },
    );
  };
  // Drawn, since not every machine has letters for it; white with a dark edge shows on any colour.
  const picture = (outline) => {
    const [svg, path] = ['svg', 'path'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag));
    const set = (element, given) => {
      for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    };
    set(svg, { viewBox: '0 0 24 24', width: '26', height: '26', 'aria-hidden': 'true' });
    set(path, { d: outline, fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round' });
    path.setAttribute('stroke-linejoin', 'round');
    svg.append(path);
    style(svg, { display: 'block', margin: 'auto', filter: 'drop-shadow(0 0 1px rgb(0 0 0 / 0.6))' });
    return svg;
  };
  const draw = () => {
    const cross = 'M6 6l12 12M18 6L6 18';
    const bubble = 'M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8l-5 4v-4H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z';
    button.replaceChildren(picture(isOpen() ? cross : bubble));
    button.setAttribute('aria-label', isOpen() ? `Close: ${label}` : label);
    button.setAttribute('aria-expanded', String(isOpen()));
    fit();
  };
  const open = () => {
    if (!frame) {
      frame = document.createElement('iframe');
      frame.src = page;
      frame.title = label;
      frame.allow = 'clipboard-write';
      style(frame, {
        position: 'fixed',
        zIndex: '2147483645',
        border: '0',
        background: 'Canvas',
        boxShadow: '0 8px 40px rgb(0 0 0 / 0.3)',
      });
      document.body.append(frame);
    }
    frame.style.display = 'block';
    draw();
    frame.focus();
  };
  const close = () => {
    if (frame) frame.style.display = 'none';
    draw();
    button.focus();
  };

  button.addEventListener('click', () => (isOpen() ? close() : open()));
  window.addEventListener('resize', fit);
  window.addEventListener('message', ({ source, data }) => {
    if (!frame || source !== frame.contentWindow) return;
    if (data === 'atrium-chat:close') close();
    if (data === 'atrium-chat:ready') {
      ready = true;
      fit();
    }
  });
  const add = () => {
    draw();
    document.body.append(button);
  };
  if (document.body) add();
  else document.addEventListener('DOMContentLoaded', add);
})();
