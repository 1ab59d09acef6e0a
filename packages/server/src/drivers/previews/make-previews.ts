import { fileURLToPath } from 'node:url';
import { binaryTypes } from '../extractors/file-types.ts';
import type { IsolationLimits } from '../extractors/isolated/pool.ts';
import type { DrawOptions } from './draw-preview.ts';
import type { Preview, PreviewRequest, Previews } from './driver.ts';

/** TIFF is left out: the drawing library does not read it. */
const types: ReadonlySet<string> = new Set([
  ...[binaryTypes.pdf, binaryTypes.docx, binaryTypes.pptx, binaryTypes.xlsx].flat(),
  ...['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/gif'],
]);

const program = fileURLToPath(new URL('./child.ts', import.meta.url));
const typeOf = (content_type: string) => content_type.split(';', 1)[0] ?? '';
const usual = { processes: 2, time_ms: 20_000, total_ms: 20_000, memory_mb: 768 };

/**
 * Draws previews in processes of their own: the drawing library is a native addon, which the processes that read text may
 * not load. None of them runs before there is such a file.
 */
export function makePreviews(limits: Partial<IsolationLimits> = {}): Previews {
  const load = async () => {
    const [{ makeProcessPool }, { startReader }] = await Promise.all([
      import('../extractors/isolated/pool.ts'),
      import('../extractors/isolated/reader-process.ts'),
    ]);
    return makeProcessPool<DrawOptions, Preview>({ ...usual, ...limits }, (memory_mb) =>
      startReader(memory_mb, [fileURLToPath(new URL('.', import.meta.url))], {
        file: program,
        flags: ['--allow-addons'],
      }),
    );
  };
  let pool: ReturnType<typeof load> | undefined;
  const draw = async (content: AsyncIterable<Uint8Array>, { signal, content_type, ...options }: PreviewRequest) => {
    pool ??= load();
    return (await pool)(content, { signal, options: { ...options, content_type: typeOf(content_type) } });
  };
  return Object.assign(draw, { takes: (content_type: string) => types.has(typeOf(content_type)) });
}
