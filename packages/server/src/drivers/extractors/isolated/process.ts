import { readers } from './readers.ts';
import { serveReader } from './serve-reader.ts';

/** The program of a process that reads the text of files. */
serveReader(readers());
