import { fileInputNodeType, imageInputNodeType } from '@atrium/contract/workflows/node-types/data/file-input.ts';
import type { Scope } from '../../../../lib/scope.ts';
import type { Files } from '../../../files/service.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';
import { isGiven, type RunInput } from '../run-input.ts';

/** A file as the value of an edge. `uri` is `store://<id>`. */
export interface FlowFile {
  uri: string;
  name: string;
  content_type: string;
  size: number;
}

const badFile = (what: string) => new NodeFailure('bad_file', what, { passing: false });

const expected = 'A file is an object with the uri of a stored file, as {"uri": "store://<id>"}';

function findFileId(value: unknown): string | undefined {
  const uri = typeof value === 'object' && value !== null && 'uri' in value ? value.uri : value;
  return typeof uri === 'string' ? /^(?:[a-z][a-z0-9+.-]*:\/\/)?([0-9a-f-]{36})$/i.exec(uri)?.[1] : undefined;
}

/** Reads the id of a stored file from any form in which clients name one. */
export function fileIdOf(value: unknown): string {
  const id = findFileId(value);
  if (id === undefined) throw badFile(expected);
  return id.toLowerCase();
}

const runInput: RunInput = {
  hasFallback: ({ fixed_value, value }) => Boolean(fixed_value) && isGiven(value),
  findFault: (value) =>
    findFileId(value) === undefined ? { type: 'value_error', msg: `Value error, ${expected}` } : undefined,
};

const images = /^image\//;

type FileInputConfig = { label: string; fixed_value: boolean; value: unknown };

async function readFile(
  files: Pick<Files, 'get'>,
  scope: Scope,
  input: unknown,
  { label, fixed_value, value }: FileInputConfig,
): Promise<FlowFile> {
  const given = input ?? (fixed_value ? value : undefined);
  if (given === undefined || given === null)
    throw new NodeFailure('missing_input', `The run was started without a file for ${label || 'an input'}`, {
      passing: false,
    });
  requirePermission(scope, 'files_read');
  const { uri, filename, content_type, size } = await rethrowAsNodeFailure(files.get(scope, fileIdOf(given)));
  return { uri, name: filename, content_type, size };
}

export const makeFileInputNode = (files: Pick<Files, 'get'>) =>
  defineNode(
    fileInputNodeType,
    async ({ scope }, { input }, given) => ({ output: await readFile(files, scope, input, given) }),
    { runInput },
  );

export const makeImageInputNode = (files: Pick<Files, 'get'>) =>
  defineNode(
    imageInputNodeType,
    async ({ scope }, { input }, given) => {
      const file = await readFile(files, scope, input, given);
      if (!images.test(file.content_type)) throw badFile(`${file.name} is no picture`);
      return { output: file };
    },
    { runInput },
  );
