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
    fontSize: '26px',
    lineHeight: '56px',
    boxShadow: '0 4px 16px rgb(0 0 0 / 0.25)',
  });

  let frame;
  const isOpen = () => frame !== undefined && frame.style.display !== 'none';
  // On a small screen the chat takes all of it, and the button becomes the way back.
  const fit = () => {
    const small = window.innerWidth < 520;
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
        ? { top: '8px', bottom: 'auto', right: '8px', width: '40px', height: '40px', lineHeight: '40px' }
        : { top: 'auto', bottom: '20px', right: '20px', width: '56px', height: '56px', lineHeight: '56px' },
    );
  };
  const draw = () => {
    button.textContent = isOpen() ? '×' : '💬';
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
    if (frame && source === frame.contentWindow && data === 'atrium-chat:close') close();
  });
  const add = () => {
    draw();
    document.body.append(button);
  };
  if (document.body) add();
  else document.addEventListener('DOMContentLoaded', add);
})();
