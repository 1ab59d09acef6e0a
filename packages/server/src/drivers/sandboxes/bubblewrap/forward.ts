/**
 * Runs inside a sandbox with network: forwards a port of its loopback to the proxy's socket, the only way out, runs the
 * command, and exits with its status. Code that breaks it only loses the network.
 */
import { spawn } from 'node:child_process';
import { createServer, connect as reach, type Socket } from 'node:net';
import { constants } from 'node:os';

const [socketPath = '', port = '', program = '', ...args] = process.argv.slice(2);

const server = createServer((inner) => {
  const outer = reach(socketPath);
  const both: Socket[] = [inner, outer];
  for (const side of both)
    side.on('error', () => {
      for (const each of both) each.destroy();
    });
  inner.pipe(outer).pipe(inner);
});

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
});
