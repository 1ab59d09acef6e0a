/** Formats whose readers work in a process of their own. */
export const binaryTypes = {
  pdf: ['application/pdf'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  eml: ['message/rfc822'],
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/gif', 'image/tiff'],
} as const;

/** What a name says where the bytes do not: text in an old encoding looks like no text at first. */
const byName: Record<string, string> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  eml: 'message/rfc822',
  pdf: binaryTypes.pdf[0],
  docx: binaryTypes.docx[0],
  pptx: binaryTypes.pptx[0],
  xlsx: binaryTypes.xlsx[0],
};

/** Says no more than that it is some file, or some archive. */
const vague = new Set(['', 'application/octet-stream', 'application/zip']);

export function typeOf({ content_type, filename }: { content_type: string; filename: string }): string {
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!vague.has(type)) return type;
  return byName[/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? type;
}
