import type { Settings } from '../settings.ts';

/** The tools of the platform that have one name each. */
const fixedNames: ReadonlySet<string> = new Set(
  Object.entries({
    agent_memory: ['forget', 'recall', 'remember'],
    clock: ['now'],
    code_execution: ['run'],
    context: ['compact'],
    databases: ['execute', 'query', 'schema'],
    documentation: ['read', 'search'],
    files: ['make_chart', 'make_document', 'make_table', 'make_with_python'],
    filesystem: ['list', 'read', 'search', 'write'],
    human_in_the_loop: ['ask'],
    image_generation: ['make'],
    insights: ['note_satisfaction'],
    knowledge: ['search'],
    memory: ['recall', 'remember'],
    sandbox: ['delete_file', 'execute', 'list_files', 'read_file', 'write_file'],
    skills: ['load', 'read_file'],
    subagents: ['delegate'],
    tables: ['count', 'delete', 'describe', 'get', 'insert', 'query', 'search', 'sql', 'update'],
    todos: ['add_todo', 'read_todos', 'remove_todo', 'update_todo_status', 'write_todos'],
    web_research: ['read_page', 'search'],
  }).flatMap(([type, verbs]) => verbs.map((verb) => `${type}_${verb}`)),
);

/** These are followed by the name of an action, a server, a knowledge base, a workflow or an agent. */
const namedAfterRecords = /^(action|coworker|kb|mcp|workflow)_./;

/** Whether a tool of the platform may have this name; entries of `tools` of another type are the client's. */
export const isKnownToolName = ({ tools }: Pick<Settings, 'tools'>, name: string): boolean =>
  fixedNames.has(name) || namedAfterRecords.test(name) || tools.some(({ type }) => name === type);
