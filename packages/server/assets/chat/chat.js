// The public chat page. A visitor's conversation is known by a token that only this browser keeps; it is read, spoken to
// and watched through the doors of shared conversations.
import { markdown } from './markdown.js';

const config = JSON.parse(document.getElementById('config').textContent);
const at = (id) => document.getElementById(id);
const [log, status, form, text, send, stop, attach, picker, fileList, anew] = [
  'log',
  'status',
  'form',
  'text',
  'send',
  'stop',
  'attach',
  'picker',
  'files',
  'anew',
].map(at);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const largestFile = 20 * 1024 * 1024;

if (config.accent) {
  document.documentElement.style.setProperty('--accent', config.accent);
  document.documentElement.classList.toggle('pale', isPale(config.accent));
}
// The page around says whether its button stands over this one: there the heading makes room for it.
if (window.parent !== window) {
  window.addEventListener('message', ({ source, data }) => {
    if (source === window.parent && /^atrium-chat:(?:covers|beside)$/.test(data))
      document.documentElement.classList.toggle('covering', data === 'atrium-chat:covers');
  });
  window.parent.postMessage('atrium-chat:ready', '*');
}

// Some browsers keep nothing for pages inside of others; then a reload begins anew.
const place = `atrium-chat:${config.deployment_id}`;
let memory = null;
const kept = {
  get() {
    try {
      return localStorage.getItem(place);
    } catch {
      return memory;
    }
  },
  set(token) {
    memory = token;
    try {
      if (token) localStorage.setItem(place, token);
      else localStorage.removeItem(place);
    } catch {}
  },
};

// Whether white letters on a colour have less than 3:1 of contrast, by the luminance that WCAG defines.
function isPale(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3;
}

const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

let busy = false;
let files = [];
let feedbackForm = null;

// Where there is a keyboard, the next question can be written at once; on glass one would pop up over the answer.
function focusText() {
  if (!matchMedia('(pointer: coarse)').matches) text.focus();
}

function setBusy(value, words = '') {
  busy = value;
  if (document.activeElement === stop) focusText();
  send.hidden = value;
  stop.hidden = !value;
  // There is something to stop once the server has heard what was said.
  stop.disabled = true;
  log.setAttribute('aria-busy', String(value));
  status.textContent = words;
}

const isNearEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80;
function following(change) {
  const follow = isNearEnd();
  change();
  if (follow) log.scrollTop = log.scrollHeight;
}

// ---- What is drawn -------------------------------------------------------------------------------------------------

const isWeb = (url) => /^https?:\/\//i.test(url ?? '');

function sourcesOf(parts) {
  const sources = parts.filter(({ type }) => type === 'source-url' || type === 'source-document');
  if (sources.length === 0) return [];
  const lines = sources.map((source) => {
    const label = source.title || source.url || 'Source';
    const name = isWeb(source.url)
      ? make('a', { href: source.url, target: '_blank', rel: 'noopener noreferrer', textContent: label })
      : make('span', { textContent: label });
    const { quote, page, end_page } = source.providerMetadata?.atrium ?? {};
    const pages = page ? `, ${end_page > page ? `pages ${page}–${end_page}` : `page ${page}`}` : '';
    return make(
      'li',
      {},
      name,
      pages,
      ...(quote ? [make('q', { textContent: quote.replaceAll(/\n\s*\n/g, '\n') })] : []),
    );
  });
  const summary = make('summary', { textContent: sources.length === 1 ? '1 source' : `${sources.length} sources` });
  return [make('details', { className: 'sources' }, summary, make('ol', {}, ...lines))];
}

function toolLine(part) {
  const name = part.title ?? part.type.replace(/^tool-/, '');
  const message = part.toolMetadata?.message ?? part.data?.message;
  return make('p', { className: 'activity', textContent: message ?? name.replaceAll('_', ' ') });
}

// What the visitor sent has a name; what a tool made is there to be fetched.
function fileNode({ filename, mediaType, providerMetadata }) {
  const { id, filename: made, inline } = providerMetadata?.atrium ?? {};
  const name = filename || made || 'File';
  if (!id) return make('p', { className: 'file', textContent: name });
  const href = `/v1/public/conversations/${kept.get()}/files/${id}`;
  const link = make('a', { href, target: '_blank', rel: 'noopener' });
  const isPicture = inline && /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType);
  link.append(isPicture ? make('img', { src: href, alt: name, loading: 'lazy' }) : name);
  return make('p', { className: isPicture ? 'picture' : 'file' }, link);
}

const isUnanswered = (said) => config.no_reply !== null && said !== '' && config.no_reply.startsWith(said.trim());

function nodesOf(parts) {
  const nodes = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (!isUnanswered(part.text)) nodes.push(make('div', { className: 'said' }, markdown(part.text)));
    } else if (part.type === 'reasoning')
      nodes.push(
        make('details', { className: 'thought' }, make('summary', { textContent: 'Thoughts' }), markdown(part.text)),
      );
    else if (part.type.startsWith('tool-') || part.type === 'data-tool-activity') nodes.push(toolLine(part));
    else if (part.type === 'data-human-request' && part.data.message)
      nodes.push(make('p', { className: 'note', textContent: part.data.message }));
    else if (part.type === 'data-handover')
      nodes.push(make('p', { className: 'note', textContent: 'A person will answer you here.' }));
    else if (part.type === 'data-error')
      nodes.push(make('p', { className: 'note failed', textContent: part.data.message }));
    else if (part.type === 'data-retract')
      nodes.push(make('p', { className: 'note', textContent: 'This answer was withheld.' }));
    else if (part.type === 'file') nodes.push(fileNode(part));
  }
  nodes.push(...sourcesOf(parts));
  const footer = parts.find(({ type }) => type === 'data-footer');
  if (footer) nodes.push(make('p', { className: 'footer', textContent: footer.data.text }));
  return nodes;
}

function draw(message, { unfinished = false } = {}) {
  let bubble = message.id && document.getElementById(`m-${message.id}`);
  const nodes = nodesOf(message.parts);
  following(() => {
    if (!bubble) {
      const speaker = make('h2', { className: 'hidden', textContent: message.role === 'user' ? 'You' : 'Answer' });
      bubble = make('article', { className: message.role }, speaker, make('div', { className: 'body' }));
      if (message.id) bubble.id = `m-${message.id}`;
      log.append(bubble);
    }
    bubble.classList.toggle('unfinished', unfinished);
    bubble.hidden = nodes.length === 0 && !unfinished;
    bubble.querySelector('.body').replaceChildren(...nodes);
    bubble.querySelector('.feedback')?.remove();
    if (!unfinished && message.role === 'assistant' && feedbackForm && nodes.length)
      bubble.append(feedback(message.id));
  });
  return bubble;
}

// ---- Feedback ------------------------------------------------------------------------------------------------------

// Drawn, since not every machine has letters for it.
function thumb() {
  const name = 'http://www.w3.org/2000/svg';
  const [svg, path] = ['svg', 'path'].map((tag) => document.createElementNS(name, tag));
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute(
    'd',
    'M7 10.5v10H3.5v-10zM7 10.5l4-7.5c2 0 2.8 1.4 2.5 3.2l-.6 3.3h5.6a2 2 0 0 1 2 2.4l-1.4 7a2 2 0 0 1-2 1.6H7',
  );
  svg.append(path);
  return svg;
}

function feedback(message_id) {
  const bar = make('div', { className: 'feedback' });
  const give = async (rating, comment) => {
    const body = JSON.stringify({ rating, message_id, ...(comment && { comment }) });
    const answer = await call('/feedback', { method: 'POST', headers: json, body }).catch(() => null);
    bar.replaceChildren(make('span', { textContent: answer?.ok ? 'Thank you' : 'That did not work; try again later' }));
  };
  const ask = () => {
    const words = make('textarea', { rows: 2, maxLength: 5000, placeholder: feedbackForm.placeholder });
    words.setAttribute('aria-label', feedbackForm.placeholder);
    const submit = make('button', { type: 'button', className: 'plain', textContent: feedbackForm.submit_label });
    const cancel = make('button', { type: 'button', className: 'plain', textContent: feedbackForm.cancel_label });
    submit.onclick = () => give('down', words.value.trim());
    cancel.onclick = show;
    bar.replaceChildren(words, make('div', { className: 'choices' }, submit, cancel));
    words.focus();
  };
  function show() {
    const good = make('button', { type: 'button', className: 'thumb', title: 'Good answer' }, thumb());
    const bad = make('button', { type: 'button', className: 'thumb down', title: 'Bad answer' }, thumb());
    good.setAttribute('aria-label', 'Good answer');
    bad.setAttribute('aria-label', 'Bad answer');
    good.onclick = () => give('up');
    bad.onclick = ask;
    bar.replaceChildren(good, bad);
  }
  show();
  return bar;
}

// ---- What is asked of the server -----------------------------------------------------------------------------------

const json = { 'content-type': 'application/json' };
const call = (path, options) => fetch(`/v1/public/conversations/${kept.get()}${path}`, options);

async function* framesOf(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { id: field('id'), data };
    }
  }
}

// The parts that the frames of a stream add up to.
function makeMessage() {
  const parts = [];
  let stepStart = 0;
  const message = { id: null, role: 'assistant', parts, thinking: '', failed: null };
  const open = () => parts.findLast(({ streaming }) => streaming);
  const called = (id) => parts.findLast(({ toolCallId }) => toolCallId === id) ?? {};
  message.add = (chunk) => {
    const { type } = chunk;
    if (type === 'start') message.id = chunk.messageId;
    else if (type === 'start-step') stepStart = parts.length;
    // The server has lost words that were shown: all of the answer comes again.
    else if (type === 'data-reset') [parts.length, stepStart] = [0, 0];
    else if (type === 'reset-step') parts.splice(stepStart);
    else if (type === 'text-start' || type === 'reasoning-start')
      parts.push({ type: type.slice(0, -'-start'.length), text: '', streaming: true });
    else if (type === 'text-delta' || type === 'reasoning-delta') {
      message.thinking = '';
      const part = open();
      if (part) part.text += chunk.delta;
    } else if (type === 'text-end' || type === 'reasoning-end') {
      const part = open();
      if (part) part.streaming = false;
    } else if (type === 'tool-input-available') parts.push({ ...chunk, type: `tool-${chunk.toolName}` });
    else if (type === 'tool-output-available' || type === 'tool-output-error')
      Object.assign(called(chunk.toolCallId), { toolMetadata: chunk.toolMetadata });
    else if (type === 'data-thinking') message.thinking = chunk.data.text;
    else if (type === 'error') message.failed = chunk.errorText;
    else if (type.startsWith('source-') || type === 'file') parts.push(chunk);
    else if (type.startsWith('data-') && !chunk.transient) {
      const there = parts.find((part) => part.type === type && part.id === chunk.id);
      if (there) there.data = chunk.data;
      else parts.push(chunk);
    }
  };
  return message;
}

// Reads a stream to its end; one that is cut off goes on where it was.
async function watch(answer) {
  let message = makeMessage();
  let last;
  for (let tries = 0; tries < 60; tries++) {
    try {
      for await (const { id, data } of framesOf(answer)) {
        tries = 0;
        if (id) last = id;
        if (data === '[DONE]') return finish(message);
        const chunk = JSON.parse(data);
        if (chunk.type === 'start' && message.id && chunk.messageId !== message.id) {
          finish(message);
          message = makeMessage();
        }
        message.add(chunk);
        if (!stopping) {
          stop.disabled = false;
          status.textContent = message.thinking || 'Answering…';
        }
        if (message.id) drawSoon(message);
      }
    } catch {}
    status.textContent = 'The connection was lost; trying again…';
    await sleep(Math.min(1000 * 2 ** Math.min(tries, 3), 8000));
    const headers = last ? { 'last-event-id': last } : {};
    answer = await call(last ? '/events?format=ui' : '/events?format=ui&after=0', { headers }).catch(() => null);
    if (answer && !answer.ok) break;
    answer ??= { body: new ReadableStream({ start: (stream) => stream.close() }) };
  }
  finish(message);
}

let drawing = false;
function drawSoon(message) {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (!message.finished) draw(message, { unfinished: true });
  });
}

const couldNot = 'The agent could not answer';
const drawFailure = (words) => log.append(make('p', { className: 'note failed', textContent: words }));

function finish(message) {
  message.finished = true;
  if (message.id) draw(message);
  if (message.failed && !message.parts.some(({ type }) => type === 'data-error')) drawFailure(message.failed);
}

async function open() {
  if (kept.get()) return;
  const body = JSON.stringify({ token: config.token });
  const answer = await fetch(`/v1/channels/${config.deployment_id}/web`, { method: 'POST', headers: json, body });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail ?? 'This chat is not available');
  kept.set((await answer.json()).token);
  anew.hidden = false;
  // So that the first answer can be judged too.
  await refresh();
}

// Posts until the server has it; the key makes sure that it is heard once.
async function post(body) {
  const headers = { ...json, 'idempotency-key': crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
  for (let tries = 0; ; tries++) {
    try {
      return await call('/stream?format=ui', { method: 'POST', headers, body });
    } catch (error) {
      if (tries === 4) throw error;
      status.textContent = 'The connection was lost; trying again…';
      await sleep(1000 * 2 ** tries);
    }
  }
}

async function say(content, sent) {
  setBusy(true, 'Sending…');
  const own = draw({
    role: 'user',
    parts: [{ type: 'text', text: content }, ...sent.map(({ name }) => ({ type: 'file', filename: name }))],
  });
  log.scrollTop = log.scrollHeight;
  try {
    await open();
    const answer = await post(
      JSON.stringify({
        content: content || sent.map(({ name }) => name).join(', '),
        ...(sent.length && { files: sent.map(({ name, b64_content }) => ({ name, b64_content })) }),
      }),
    );
    if (answer.status === 404) {
      // The conversation is gone, or the page was moved: the next message begins a new one.
      kept.set(null);
      throw new Error('This conversation has ended. Send your message again to begin a new one.');
    }
    if (answer.status === 409 && (await answer.clone().json()).code === 'run_in_progress') {
      status.textContent = 'Waiting for the answer before…';
      await watch(await call('/events?format=ui&after=0'));
      own.remove();
      return say(content, sent);
    }
    if (!answer.ok) {
      const { detail } = await answer.json().catch(() => ({}));
      throw new Error(typeof detail === 'string' ? detail : 'This message could not be sent');
    }
    status.textContent = 'Answering…';
    await watch(answer);
    setBusy(false);
    const view = await refresh();
    if (view?.status === 'awaiting_human_feedback') void waitForPerson();
  } catch (error) {
    own.classList.add('unsent');
    setBusy(false, error instanceof TypeError ? 'The server could not be reached' : error.message);
    // Back where it was written, to be sent again.
    if (text.value || files.length) return;
    own.remove();
    text.value = content;
    files = sent;
    fit();
    drawFiles();
  }
}

let stopping = false;
async function stopAnswer() {
  stopping = true;
  stop.disabled = true;
  status.textContent = 'Stopping…';
  const answer = await call('/stop', { method: 'POST' }).catch(() => null);
  stopping = false;
  // The stream ends by itself; one that goes on can be stopped still.
  if (busy && !answer?.ok) stop.disabled = false;
}

async function refresh() {
  const answer = await call('').catch(() => null);
  if (!answer?.ok) return null;
  const view = await answer.json();
  feedbackForm = view.feedback_form ?? null;
  return view;
}

function redraw(view) {
  for (const bubble of log.querySelectorAll('article, .note')) bubble.remove();
  for (const message of view.ui_messages) draw(message);
  // As it stood there before the page was loaded anew.
  if (view.status === 'failed' && !log.lastElementChild.querySelector('.failed')) drawFailure(couldNot);
  log.scrollTop = log.scrollHeight;
}

let waiting = false;
async function waitForPerson() {
  if (waiting) return;
  waiting = true;
  status.textContent = 'Waiting for a person to answer…';
  for (;;) {
    await sleep(document.hidden ? 15000 : 4000);
    const view = await refresh();
    if (view && view.status !== 'awaiting_human_feedback') break;
  }
  waiting = false;
  status.textContent = '';
  await resume();
}

// What was said before the page was reloaded, and the answer that is still being given.
async function resume() {
  if (!kept.get()) return;
  const answer = await call('').catch(() => null);
  if (answer?.status === 404) return kept.set(null);
  if (!answer?.ok) {
    status.textContent = 'The server could not be reached';
    return;
  }
  const view = await answer.json();
  anew.hidden = false;
  feedbackForm = view.feedback_form ?? null;
  redraw(view);
  if (view.is_locked || view.read_only) {
    status.textContent = view.read_only
      ? 'This link is for reading only'
      : (view.lock_message ?? 'This conversation is closed');
    send.disabled = true;
  } else if (view.status === 'awaiting_human_feedback') void waitForPerson();
  else if (view.status === 'running') {
    setBusy(true, 'Answering…');
    await watch(await call('/events?format=ui&after=0'));
    setBusy(false);
  }
}

// ---- What the visitor does -----------------------------------------------------------------------------------------

function fit() {
  text.style.height = 'auto';
  text.style.height = `${Math.min(text.scrollHeight, 180)}px`;
}

function drawFiles() {
  fileList.replaceChildren(
    ...files.map((file, index) => {
      const remove = make('button', { type: 'button', textContent: '×', title: `Remove ${file.name}` });
      remove.setAttribute('aria-label', `Remove ${file.name}`);
      remove.onclick = () => {
        files.splice(index, 1);
        drawFiles();
      };
      return make('li', {}, make('span', { textContent: file.name }), remove);
    }),
  );
}

const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function add(chosen) {
  for (const file of chosen) {
    const total = files.reduce((sum, { size }) => sum + size, file.size);
    if (total > largestFile) status.textContent = 'Files may have 20 MB together';
    else files.push({ name: file.name, size: file.size, b64_content: await base64(file) });
  }
  drawFiles();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const content = text.value.trim();
  if (busy || send.disabled || (!content && files.length === 0)) return;
  const sent = files;
  files = [];
  drawFiles();
  text.value = '';
  fit();
  focusText();
  void say(content, sent);
});
stop.addEventListener('click', () => void stopAnswer());
text.addEventListener('input', fit);
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
attach.addEventListener('click', () => picker.click());
picker.addEventListener('change', () => void add([...picker.files]).then(() => (picker.value = '')));
if (config.allow_files) {
  form.addEventListener('dragover', (event) => event.preventDefault());
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    void add([...event.dataTransfer.files]);
  });
}
anew.addEventListener('click', () => {
  if (busy) return;
  kept.set(null);
  anew.hidden = true;
  send.disabled = false;
  status.textContent = '';
  for (const bubble of log.querySelectorAll('article, .note')) bubble.remove();
  text.focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && window.parent !== window) window.parent.postMessage('atrium-chat:close', '*');
});

void resume();
