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

const fenced = /^(\s*)(`{3,}|~{3,})/;
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

const isNumbered = (mark) => /\d/.test(mark);
const width = (space) => space.replaceAll('\t', '    ').length;

// Items that stand further in are a list within the item above; blank lines between items part nothing.
function list(lines, from) {
  const [, space, mark] = item.exec(lines[from]);
  const made = element(isNumbered(mark) ? 'ol' : 'ul');
  if (isNumbered(mark)) made.setAttribute('start', Number.parseInt(mark, 10));
  let at = from;
  while (at < lines.length) {
    let next = at;
    while (next < lines.length && lines[next].trim() === '') next++;
    const match = item.exec(lines[next] ?? '');
    const further = match ? width(match[1]) - width(space) : 0;
    if (match && further >= 2) {
      const { node, at: after } = list(lines, next);
      made.lastChild.append(node);
      at = after;
    } else if (match && further >= 0 && isNumbered(match[2]) === isNumbered(mark)) {
      made.append(element('li', ...words(match[3])));
      at = next + 1;
    } else if (!match && next === at && /^\s{2,}\S/.test(lines[at]) && !fenced.test(lines[at])) {
      made.lastChild.append(' ', ...words(lines[at].trim()));
      at++;
    } else break;
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
    const fence = fenced.exec(line);
    const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (fence) {
      close();
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[2]));
      const inside = lines.slice(at + 1, end === -1 ? lines.length : end);
      // Under an item of a list a block stands further in, as a whole.
      const code = inside.map((one) => one.slice(Math.min(fence[1].length, one.search(/\S|$/)))).join('\n');
      const block = element('pre', element('code', code));
      block.setAttribute('tabindex', '0');
      made.append(block);
      at = end === -1 ? lines.length : end + 1;
    } else if (heading) {
      close();
      made.append(element(`h${Math.min(6, heading[1].length + 2)}`, ...words(heading[2])));
      at++;
    } else if (/^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      close();
      made.append(element('hr'));
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
