import { SaxesParser } from 'saxes';
import { NotExtractable } from '../driver.ts';

export interface Element {
  /** Without its prefix. */
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

interface Handlers {
  /** False: no more is wanted. */
  open(name: string, attributes: Record<string, string>): boolean | undefined;
  text(text: string): void;
  close(name: string): boolean | undefined;
}

const step = 256 * 1024;
const deepest = 500;
const local = (name: string) => name.slice(name.indexOf(':') + 1);
const damaged = () => new NotExtractable('unreadable', 'it is damaged: one of its parts is not well-formed');

/**
 * Reads a part of an Office file. Such parts have no document type, which is the only place where entities could be
 * declared: one that has is refused before it is read any further.
 */
export function readXml(bytes: Uint8Array, { open, text, close }: Handlers): void {
  const parser = new SaxesParser();
  let [depth, more] = [0, true];
  parser.on('error', () => {
    throw damaged();
  });
  parser.on('doctype', () => {
    throw new NotExtractable(
      'unreadable',
      'it declares entities of its own, as no program does that writes such files',
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > deepest) throw damaged();
    if (more) more = open(local(name), attributes as Record<string, string>) ?? true;
  });
  parser.on('text', (found) => {
    if (more) text(found);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    if (more) more = close(local(name)) ?? true;
  });
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length && more; at += step)
    parser.write(decoder.decode(bytes.subarray(at, at + step), { stream: true }));
  if (more) parser.close();
}

/** A whole part as a tree. */
export function parseXml(bytes: Uint8Array): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const path = [root];
  readXml(bytes, {
    open(name, attributes) {
      const element = { name, attributes, children: [] };
      path.at(-1)?.children.push(element);
      path.push(element);
      return true;
    },
    text(found) {
      path.at(-1)?.children.push(found);
    },
    close() {
      path.pop();
      return true;
    },
  });
  return root;
}

/** Those elements below one that have a name, in their order; not those within them. */
export function* all(element: Element, ...names: string[]): Generator<Element> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (names.includes(child.name)) yield child;
    else yield* all(child, ...names);
  }
}

export const first = (element: Element | undefined, name: string): Element | undefined =>
  element && all(element, name).next().value;
