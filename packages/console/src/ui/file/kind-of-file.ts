type FileLook = 'picture' | 'pdf' | 'csv' | 'page' | 'code' | 'text' | 'office' | 'drawn' | 'none';

/** Languages of code by the ending of a file's name, as they are coloured. */
const languages: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', css: 'css', go: 'go', java: 'java', js: 'javascript', mjs: 'javascript', jsx: 'javascript' },
  ...{ json: 'json', py: 'python', rs: 'rust', sql: 'sql', ts: 'typescript', tsx: 'typescript' },
  ...{ xml: 'xml', html: 'xml', svg: 'xml', yaml: 'yaml', yml: 'yaml' },
};

export const languageOf = (name: string): string | undefined =>
  languages[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];

/** How a file is shown, by its name and type. Nothing that could run is. */
export function lookOf(name: string, type: string): FileLook {
  const plain = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(plain)) return 'picture';
  if (plain === 'application/pdf') return 'pdf';
  if (plain === 'text/csv' || plain === 'text/tab-separated-values' || /\.(?:csv|tsv)$/i.test(name)) return 'csv';
  if (plain === 'text/html') return 'page';
  if (languageOf(name) || /^application\/(?:json|xml|javascript|sql|yaml|x-yaml)$/.test(plain)) return 'code';
  if (plain.startsWith('text/')) return 'text';
  if (/officedocument/.test(plain)) return 'office';
  return plain === 'image/bmp' ? 'drawn' : 'none';
}
