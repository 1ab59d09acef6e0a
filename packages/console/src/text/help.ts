/** A guide: its file in the project's docs, its name, and what it answers. */
export interface Guide {
  key: string;
  title: string;
  about: string;
}

const guide = (key: string, title: string, about: string): Guide => ({ key, title, about });

/** The guides by subject, in the order in which a new person needs them. */
export const guideSubjects: readonly { subject: string; guides: readonly Guide[] }[] = [
  {
    subject: 'Agents and chats',
    guides: [
      guide('agents', 'Agents', 'Starting points, drafts, versions, copies, followers.'),
      guide('settings', 'Settings of agents', 'What each setting does, and its default.'),
      guide('conversations', 'Conversations', 'Messages, branches, sharing, long chats.'),
      guide('tools', 'Tools', 'What agents can do besides speaking.'),
      guide('tools-sources', 'Tools that settings describe', 'Actions, skills, databases, other agents.'),
      guide('mcp', 'MCP', 'Servers that agents use, and agents for other programs.'),
      guide('approvals', 'People in the loop', 'Approvals, questions, handovers.'),
      guide('answers', 'Answers without a language model', 'What the built-in model can do.'),
      guide('channels', 'Channels', 'Agents on a web page, in Slack, Teams and mail.'),
    ],
  },
  {
    subject: 'Knowledge and data',
    guides: [
      guide('knowledge-bases', 'Knowledge bases', 'Documents that are searched and cited.'),
      guide('knowledge-rights', 'Knowledge with rights', 'Documents that only some people see.'),
      guide('tables', 'Tables', 'Rows that agents, workflows and people share.'),
      guide('files', 'Files', 'Uploads, attachments, documents and what agents make.'),
      guide('variables', 'Variables and secrets', 'Values and secrets, from vaults too.'),
      guide('sandboxes', 'Sandboxes', 'Where code of agents runs.'),
      guide('search', 'Search', 'One search over everything that you may see.'),
      guide('glossary', 'Glossary', 'Words, each in one sentence.'),
    ],
  },
  {
    subject: 'Workflows and triggers',
    guides: [
      guide('workflows', 'Workflows', 'Steps that run by themselves.'),
      guide('nodes', 'Steps of workflows', 'Every kind of step with its settings.'),
      guide('expressions', 'Expressions', 'What can be written into the fields of steps.'),
      guide('triggers', 'Triggers', 'Schedules, webhooks and events that start runs.'),
      guide('webhooks', 'Webhooks', 'Messages to other programs.'),
      guide('events', 'Live events', 'What happens in a workspace, as a stream.'),
      guide('notifications', 'Notifications', 'What people are told by list, mail and push.'),
    ],
  },
  {
    subject: 'Quality and figures',
    guides: [
      guide('insights', 'Insights', 'What chats are about, what they cost, how satisfied people are.'),
      guide('evaluations', 'Evaluations', 'Versions tried before they are published.'),
      guide('safety', 'Finding personal data', 'How well names, addresses and numbers are found.'),
      guide('benchmarks', 'Benchmarks', 'What was measured, and how.'),
    ],
  },
  {
    subject: 'Running the place',
    guides: [
      guide('people', 'People', 'Sign-in, second factors, members, invitations, single sign-on.'),
      guide('keys-and-roles', 'Workspaces, keys and roles', 'Who may call, where, and what each role holds.'),
      guide('models', 'Models', 'Providers, default models, and how settings become requests.'),
      guide('budgets', 'Budgets', 'Money and tokens for each day or month.'),
      guide('limits', 'Limits', 'What happens when something is used up.'),
      guide('audit', 'Audit log', 'Who changed what, and how the log is protected.'),
      guide('personal-data', 'Personal data', 'Erasing and exporting people and workspaces.'),
      guide('scim', 'SCIM', 'People and groups kept in step with a directory.'),
      guide('encryption', 'Encryption', 'What is encrypted on the disk, and what is not.'),
      guide('security', 'Security', 'What is defended, and the test that shows it.'),
      guide('system', 'System', 'The state of the server.'),
      guide('file-storage', 'Where files are stored', 'The data directory, or a bucket of an S3 store.'),
      guide('scale', 'Scale', 'What one process carries, and how to grow.'),
      guide('deploy', 'Running it in production', 'Several processes, containers, monitoring.'),
    ],
  },
  {
    subject: 'For programs',
    guides: [
      guide('requests', 'Requests and answers', 'Compression, versions of records, repeated requests.'),
      guide('sdk', 'The client for programs', 'The typed client for TypeScript.'),
      guide('completions', 'Chat completions', 'Agents for clients of OpenAI’s protocol.'),
      guide('embeddings', 'Embeddings', 'Embedding models for the same clients.'),
      guide('forms', 'Forms', 'What a form needs to know about the fields of a record.'),
      guide('mcp-conformance', 'Conformance of MCP', 'What was tested, and what it showed.'),
    ],
  },
];

export const helpTexts = {
  title: 'Help',
  find: 'Find in the guides',
  guides: 'Guides',
  all: 'All guides',
  onThisPage: 'On this page',
  count: (count: number) => (count === 1 ? '1 guide' : `${count} guides`),
  none: (text: string) => `No guide has “${text}”`,
  noneHelp: 'Try fewer or other words.',
  reference: 'API reference',
  keys: 'Keys of this console',
  tour: 'First steps',
  tourHelp:
    'Ten minutes from documents to an agent, a workflow and a budget. They stand on the start page of the chat.',
  tourShow: 'Show the first steps',
  notFound: { title: 'There is no such guide', help: 'It may have another name now.' },
} as const;
