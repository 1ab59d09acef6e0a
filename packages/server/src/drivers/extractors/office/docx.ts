import { makeDocument } from '../document-writer.ts';
import { type Extracted, type ExtractOptions, NotExtractable } from '../driver.ts';
import { writeHtml } from '../html/html.ts';
import { wholeOf } from '../read-all-bytes.ts';
import { type Archive, openArchive } from './open-archive.ts';
import { mainPart } from './relationships.ts';
import { readXml } from './xml.ts';

const mostImages = 200;

/** What the library that reads documents asks of an archive. */
const asFile = (archive: Archive) => ({
  exists: archive.has,
  async read(name: string, encoding?: string) {
    const bytes = archive.read(name);
    if (!bytes) throw new Error('no such part');
    return encoding === 'base64' ? bytes.toString('base64') : encoding ? bytes.toString('utf8') : bytes;
  },
});

/** The library reads XML leniently, and would make text of half a document. */
function check(archive: Archive, main: string): void {
  for (const name of archive.names())
    if (name === main || /^word\/(?:styles|numbering|footnotes|endnotes|comments)\.xml$/.test(name)) {
      const nothing = () => true;
      readXml(archive.read(name) as Buffer, { open: nothing, text: () => {}, close: nothing });
    }
}

/** Documents of word processors: their headings, lists and tables. */
export async function extractDocx(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> {
  const { max_chars, signal } = options;
  const archive = openArchive(await wholeOf(content, signal));
  const main = mainPart(archive, 'word/document.xml');
  if (!main) throw new NotExtractable('unreadable', 'there is no document in it');
  check(archive, main);
  const { default: mammoth } = await import('mammoth');
  const document = makeDocument(max_chars);
  const images: { content_type: string; data: Uint8Array }[] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    if (!options.images || images.length >= mostImages) return { src: '' };
    const index =
      images.push({ content_type: image.contentType, data: new Uint8Array(await image.readAsBuffer()) }) - 1;
    return { src: `image:${index}` };
  });
  const input = { file: asFile(archive) } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
  const { value } = await mammoth.convertToHtml(input, { convertImage, styleMap, externalFileAccess: false });
  const picture = (source: string, alt: string) => {
    document.add('image', alt, { mark: 'Image: ' });
    const index = Number(/^image:(\d+)$/.exec(source)?.[1] ?? -1);
    const image = images[index];
    if (image) document.image({ name: `image-${index + 1}`, ...image, alt });
  };
  // Arrows that lead from a footnote back to its place.
  const html = value.replaceAll(/ ?<a href="#[^"]{0,100}">↑<\/a>/g, '');
  await writeHtml(document, html, { max_chars, signal, choices: { images: true, picture } });
  const result = document.end();
  return { ...result, title: result.title ?? titleOf(result) };
}

const titleOf = ({ blocks, text }: Extracted) => {
  const top = blocks.find(({ level }) => level === 1);
  return top ? text.slice(top.start + 2, top.end) : null;
};
