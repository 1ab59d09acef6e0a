import { serveReader } from '../extractors/isolated/serve-reader.ts';
import { drawPreview } from './draw-preview.ts';

/** The program of a process that draws previews of files. */
serveReader(drawPreview);
