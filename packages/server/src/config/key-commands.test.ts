import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';

const printing = (text: string) => JSON.stringify([process.execPath, '-e', `console.log(${JSON.stringify(text)})`]);

test('takes the master keys that programs print', () => {
  const config = loadConfig({
    ATRIUM_SECRET_KEY_COMMAND: printing('a master key of a service'),
    ATRIUM_NEW_SECRET_KEY_COMMAND: printing('the next key of a service'),
  });
  assert.equal(config.secret_key, 'a master key of a service');
  assert.equal(config.new_secret_key, 'the next key of a service');
});

test('splits a command at spaces and starts no shell', () => {
  const config = loadConfig({ ATRIUM_SECRET_KEY_COMMAND: 'echo 0123456789abcdef $HOME; ls' });
  assert.equal(config.secret_key, '0123456789abcdef $HOME; ls');
});

test('hands the environment to the program, and none of its key to workspaces', () => {
  const show = JSON.stringify([process.execPath, '-p', 'process.env.KMS_TOKEN']);
  const config = loadConfig({ ATRIUM_SECRET_KEY_COMMAND: show, KMS_TOKEN: 'token of the service' });
  assert.equal(config.secret_key, 'token of the service');
  assert.deepEqual(config.variable_values, {});
});

test('refuses to start without a key, naming the variable and nothing that was printed', () => {
  const failing = JSON.stringify([process.execPath, '-e', "console.log('half of a secret'); process.exit(3)"]);
  const refused = {
    '["unfinished': /ATRIUM_SECRET_KEY_COMMAND starts with \[ but/,
    [failing]: /ATRIUM_SECRET_KEY_COMMAND: the program .* printed no key \(it ended with 3\)/,
    'no-such-program-here': /ATRIUM_SECRET_KEY_COMMAND: .* \(ENOENT\)/,
    'echo short': /ATRIUM_SECRET_KEY_COMMAND printed fewer than 16/,
  };
  for (const [line, message] of Object.entries(refused))
    assert.throws(
      () => loadConfig({ ATRIUM_SECRET_KEY_COMMAND: line }),
      (error: Error) => message.test(error.message) && !error.message.includes('half of a secret'),
    );
  assert.throws(
    () => loadConfig({ ATRIUM_SECRET_KEY: 'sixteen-letters!', ATRIUM_SECRET_KEY_COMMAND: 'echo sixteen-letters!' }),
    /not both/,
  );
});
