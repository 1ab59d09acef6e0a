// Kills the process when one of its test files takes too long. It is a thread, since a file that never gives the event loop
// back can't be stopped from inside, and a test process puts SIGTERM off until the loop is free.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

let timer: NodeJS.Timeout | undefined;

parentPort?.on('message', (file: string) => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    writeSync(2, `${file} took more than ${workerData} ms\n`);
    process.kill(process.pid, 'SIGKILL');
  }, workerData as number);
});
