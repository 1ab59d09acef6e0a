// Run by a test as another user: stores the files of a data directory and prints how many, and which were left out.
import { randomBytes } from 'node:crypto';
import { makeDiskFolder } from '../../scripts/backup/folder/disk-folder.ts';
import { type StoredFile, storeFiles } from '../../scripts/backup/stored-files.ts';

const [data_dir = '', backups = ''] = process.argv.slice(2);
const key = { id: '0011223344556677', secret: randomBytes(32) };
const files = new Map<string, StoredFile>();
const leftOut = new Set<string>();
await storeFiles(key, { data_dir, folder: makeDiskFolder(backups), blobs: undefined }, files, leftOut);
process.stdout.write(JSON.stringify({ files: files.size, left_out: [...leftOut] }));
