/** An object as JSON text, with some of its values given as JSON text already. */
export function spliceJson(fields: object, texts: Readonly<Record<string, string>>): string {
  let text = JSON.stringify(fields).slice(0, -1);
  for (const [name, value] of Object.entries(texts)) text += `${text.length > 1 ? ',' : ''}"${name}":${value}`;
  return `${text}}`;
}

/** A page whose items are JSON text already. */
export const splicePage = (page: {
  items: readonly string[];
  total: number;
  page: number;
  size: number;
  pages: number;
}) => {
  const { items, ...rest } = page;
  return spliceJson(rest, { items: `[${items.join(',')}]` });
};
