import { c } from '../config-fields.ts';
import { flowInput, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

const config = {
  label: c.text({ default: '', description: 'What the file is called when a run is started' }),
  fixed_value: c.bool({ default: false, description: 'Whether `value` is used when a run brings none' }),
  value: c.any({ optional: true, description: 'The file to use then, as {"uri": "store://<id>"}' }),
};

export const fileInputNodeType = nodeType({
  type: 'FileInputNode',
  title: 'File input',
  description: 'A file that the workflow is started with.',
  category: 'io',
  inputs: [flowInput('input', 'File')],
  outputs: [plain('output', { data_type: 'File' })],
  config,
  example: { label: 'Invoice' },
});

export const imageInputNodeType = nodeType({
  type: 'ImageInputNode',
  title: 'Image input',
  description: 'A picture that the workflow is started with.',
  category: 'io',
  inputs: [flowInput('input', 'Image')],
  outputs: [plain('output', { data_type: 'Image' })],
  config,
  example: { label: 'Photo' },
});
