import type { Files } from '../../../files/service.ts';
import { requirePermission, told } from '../../node-services/rethrow-as-node-failure.ts';
import { c } from '../../node-types/config-fields.ts';
import { type DataType, flowInput, plain } from '../../node-types/connectors.ts';
import { defineNode, type NodeContext, NodeFailure } from '../../node-types/define-node.ts';

/** A file on its way through a workflow. `uri` is `store://<id>`. */
export interface FlowFile {
  uri: string;
  name: string;
  content_type: string;
  size: number;
}

const misfit = (what: string) => new NodeFailure('bad_file', what, { passing: false });

/** The id of a stored file, from any of the forms in which clients name one. */
export function fileIdOf(value: unknown): string {
  const uri = typeof value === 'object' && value !== null && 'uri' in value ? value.uri : value;
  const id = typeof uri === 'string' ? /^(?:[a-z][a-z0-9+.-]*:\/\/)?([0-9a-f-]{36})$/i.exec(uri)?.[1] : undefined;
  if (id === undefined) throw misfit('A file is an object with the uri of a stored file, as {"uri": "store://<id>"}');
  return id.toLowerCase();
}

const images = /^image\//;

export function makeFileInputNodes(files: Pick<Files, 'get'>) {
  const make = (type: string, title: string, description: string, data_type: DataType) =>
    defineNode({
      type,
      title,
      description,
      category: 'io',
      inputs: [flowInput('input', data_type)],
      outputs: [plain('output', { data_type })],
      config: {
        label: c.text({ default: '', description: 'What the file is called when a run is started' }),
        fixed_value: c.bool({ default: false, description: 'Whether `value` is used when a run brings none' }),
        value: c.any({ optional: true, description: 'The file to use then, as {"uri": "store://<id>"}' }),
      },
      async run({ scope }: NodeContext, { input }, { label, fixed_value, value }) {
        const given = input ?? (fixed_value ? value : undefined);
        if (given === undefined || given === null)
          throw new NodeFailure('missing_input', `The run was started without a file for ${label || 'an input'}`, {
            passing: false,
          });
        requirePermission(scope, 'files_read');
        const { uri, filename, content_type, size } = await told(files.get(scope, fileIdOf(given)));
        if (data_type === 'Image' && !images.test(content_type)) throw misfit(`${filename} is no picture`);
        return { output: { uri, name: filename, content_type, size } satisfies FlowFile };
      },
    });

  return [
    make('FileInputNode', 'File input', 'A file that the workflow is started with.', 'File'),
    make('ImageInputNode', 'Image input', 'A picture that the workflow is started with.', 'Image'),
  ];
}
