/** The texts of the guides and of the decisions that they name, each loaded when it is opened. */
const files = import.meta.glob<string>(['../../../../docs/*.md', '../../../../docs/decisions/*.md'], {
  query: '?raw',
  import: 'default',
});

const folder = '../../../../docs/';

/** The Markdown of a guide; null when there is none of this name. */
export async function loadGuide(key: string): Promise<string | null> {
  return (await files[`${folder}${key}.md`]?.()) ?? null;
}
