import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const codeExecutionNodeType = nodeType({
  type: 'CodeExecutionNode',
  title: 'Code',
  description: 'Runs JavaScript, Python or bash over values.',
  category: 'logic',
  inputs: [keyed('variables', { optional: true })],
  outputs: [plain('output', { data_type: 'Custom' })],
  timeout: 660,
  config: {
    language: c.choice(['javascript', 'python', 'bash'], {
      default: 'javascript',
      description: 'JavaScript is the body of a function of `input`; the others read their input as JSON from stdin',
    }),
    code: c.raw({ description: 'The code. JavaScript returns its value, the others print it' }),
    timeout: c.int({ min: 1, max: 600, default: 30, description: 'Seconds it may run' }),
  },
  example: { language: 'javascript', code: 'return input.Numbers.reduce((sum, n) => sum + n, 0)' },
});
