/** Lists that lack search, sort or filters by time, with the reason. */
export const listExceptions: Readonly<Record<string, string>> = {
  'conversationFiles.list': 'the files of one conversation are listed by their paths, from several sources',
  'agentMemories.list': 'memories are sealed: they are searched after they are opened, and their number is bounded',
  'conversationMemories.list':
    'memories are sealed: they are searched after they are opened, and their number is bounded',
  'agentVersions.list': 'versions are numbered and listed by their numbers',
  'workflowVersions.list': 'a workflow has few versions, which are listed as one array',
  'sandboxes.listFiles': 'one directory of a sandbox, which the engine lists',
  'mcpServers.listTools': 'the tools of one server, by name',
  'knowledgeBases.listChunks': 'passages are listed in the order of their documents',
  'sites.listPages': 'pages are listed in the order in which they were found',
  'userGroups.listMembers': 'people of one group, by name; people are searched in the list of people',
  'approvals.list': 'three kinds of requests in one list, in the order of their ids',
  'runs.list': 'two kinds of runs in one list; those without a cost come last both ways, which its own tests try',
  'evaluationCases.list': 'the cases of one evaluation, at most 1,000, in the order in which they are tried',
  'notifications.list': 'notifications of one person, the newest first, are for sessions only',
  'workflowRuns.list': 'runs are listed in the order of their ids, like those of conversations',
};
