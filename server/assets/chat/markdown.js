// Markdown as DOM nodes. Nothing is ever parsed as HTML, so nothing that is said can become a script.

const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};

const inline =
  /`([^`\n]+)`|\[([^\]\n]+)\]\((https?:\/\/[^\s()]+|mailto:[^\s()]+)\)|\*\*(\S(?:[^\n]*?\S)?)\*\*|(?<![\w*])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])|~~(\S(?:[^\n]*?\S)?)~~|(https?:\/\/[^\s<>"'`“”’»)\]]*[^\s<>"'`“”’»)\].,;:!?])/g;

function link(address, label) {
  const made = element('a', label);
  made.setAttribute('href', address);
  made.setAttribute('target', '_blank');
  made.setAttribute('rel', 'noopener noreferrer');
  return made;
}

function words(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [all, code, label, address, bold, italic, struck, bare] = match;
    nodes.push(text.slice(at, match.index));
    if (code !== undefined) nodes.push(element('code', code));
    else if (address !== undefined) nodes.push(link(address, label));
    else if (bold !== undefined) nodes.push(element('strong', ...words(bold)));
    else if (italic !== undefined) nodes.push(element('em', ...words(italic)));
    else if (struck !== undefined) nodes.push(element('s', ...words(struck)));
    else nodes.push(link(bare, bare));
    at = match.index + all.length;
  }
  nodes.push(text.slice(at));
  return nodes.filter((node) => node !== '');
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const row = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
const isDivider = (line) =>
  line !== undefined && /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes('-');

function table(lines, from) {
  const head = element('tr', ...row(lines[from]).map((cell) => element('th', ...words(cell))));
  const body = element('tbody');
  let at = from + 2;
  for (; at < lines.length && lines[at].includes('|'); at++)
    body.append(element('tr', ...row(lines[at]).map((cell) => element('td', ...words(cell)))));
  const scroller = element('div', element('table', element('thead', head), body));
  scroller.className = 'scroller';
  return { node: scroller, at };
}

function list(lines, from) {
  const [, , mark] = item.exec(lines[from]);
  const made = element(/\d/.test(mark) ? 'ol' : 'ul');
  if (/\d/.test(mark)) made.setAttribute('start', Number.parseInt(mark, 10));
  let at = from;
  for (; at < lines.length; at++) {
    const match = item.exec(lines[at]);
    if (match) made.append(element('li', ...words(match[3])));
    else if (/^\s{2,}\S/.test(lines[at]) && made.lastChild) made.lastChild.append(' ', ...words(lines[at].trim()));
    else break;
  }
  return { node: made, at };
}

/** The blocks of a text. One that is still being written reads as far as it has come. */
export function markdown(text, depth = 0) {
  const made = document.createDocumentFragment();
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let paragraph = [];
  const close = () => {
    if (paragraph.length === 0) return;
    const nodes = paragraph.flatMap((line, index) => (index ? [element('br'), ...words(line)] : words(line)));
    made.append(element('p', ...nodes));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line);
    const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (fence) {
      close();
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[1]));
      const code = lines.slice(at + 1, end === -1 ? lines.length : end).join('\n');
      const block = element('pre', element('code', code));
      block.setAttribute('tabindex', '0');
      made.append(block);
      at = end === -1 ? lines.length : end + 1;
    } else if (heading) {
      close();
      made.append(element(`h${Math.min(6, heading[1].length + 2)}`, ...words(heading[2])));
      at++;
    } else if (item.test(line)) {
      close();
      const { node, at: after } = list(lines, at);
      made.append(node);
      at = after;
    } else if (depth < 5 && /^\s{0,3}>/.test(line)) {
      close();
      const quoted = [];
      for (; at < lines.length && /^\s{0,3}>/.test(lines[at]); at++) quoted.push(lines[at].replace(/^\s{0,3}> ?/, ''));
      made.append(element('blockquote', markdown(quoted.join('\n'), depth + 1)));
    } else if (line.includes('|') && isDivider(lines[at + 1])) {
      close();
      const { node, at: after } = table(lines, at);
      made.append(node);
      at = after;
    } else {
      if (line.trim() === '') close();
      else paragraph.push(line);
      at++;
    }
  }
  close();
  return made;
}
