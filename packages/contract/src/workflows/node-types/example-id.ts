/** Stands for the id of a record in the examples of docs/nodes.md. */
export const exampleId = '0190a000-0000-7000-8000-00000000000a';
