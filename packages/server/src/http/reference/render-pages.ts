import { escapeMarkup } from '../../lib/text/escape-html.ts';
import type { ReferenceDocument, ReferenceOperation, ReferenceParameter } from './openapi-types.ts';
import { collectNames, renderFields, renderSchema, renderText } from './render-fields.ts';

interface Listed extends ReferenceOperation {
  method: string;
  path: string;
}

/** `Knowledge bases` as a part of an address. */
export const slugOf = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const listOperations = ({ paths }: ReferenceDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

const tagOf = ({ tags: [tag = 'Other'] }: Listed) => tag;

function groupByTag(operations: readonly Listed[]): Map<string, Listed[]> {
  const groups = new Map<string, Listed[]>();
  for (const operation of operations)
    groups.set(tagOf(operation), [...(groups.get(tagOf(operation)) ?? []), operation]);
  return groups;
}

const badge = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

function layout(title: string, navigation: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)} · Atrium API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<header><a class="brand" href="/docs">Atrium API</a> <a href="/docs/try">Try it</a> <a href="/openapi.json">OpenAPI</a></header>
<div class="columns">
<nav aria-label="Sections">${navigation}</nav>
<main><h1>${escapeMarkup(title)}</h1>
${content}
</main>
</div>
</body>
</html>
`;
}

const renderNavigation = (tags: readonly string[], current?: string) =>
  `<ul><li><a href="/docs"${current ? '' : ' aria-current="page"'}>All operations</a></li>${tags
    .map(
      (tag) =>
        `<li><a href="/docs/${slugOf(tag)}"${tag === current ? ' aria-current="page"' : ''}>${escapeMarkup(tag)}</a></li>`,
    )
    .join('')}</ul>`;

const renderEntry = (operation: Listed) =>
  `<li data-text="${escapeMarkup(`${operation.operationId} ${operation.description}`.toLowerCase())}"><a href="/docs/${slugOf(tagOf(operation))}#${operation.operationId}">${badge(operation.method)} <code>${escapeMarkup(operation.path)}</code> <span>${renderText(operation.summary)}</span></a></li>`;

/** The page that lists all operations, with a box that filters them. */
function renderIndex(groups: ReadonlyMap<string, readonly Listed[]>): string {
  const sections = [...groups].map(
    ([tag, operations]) =>
      `<section data-group><h2><a href="/docs/${slugOf(tag)}">${escapeMarkup(tag)}</a></h2><ul class="operations">${operations.map(renderEntry).join('\n')}</ul></section>`,
  );
  const filter =
    '<p class="filter"><label for="filter">Filter</label> <input id="filter" type="search" placeholder="a word, a path or a method" autocomplete="off"> <output id="count" for="filter"></output></p>';
  return layout('All operations', renderNavigation([...groups.keys()]), filter + sections.join('\n'));
}

/** Shared headers are stored once in the document and referred to. */
function parametersOf({ parameters }: Listed, document: ReferenceDocument): ReferenceParameter[] {
  return parameters.flatMap((parameter) =>
    '$ref' in parameter ? (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : [parameter],
  );
}

function renderParameters(parameters: readonly ReferenceParameter[]): string {
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  return places
    .map((place) => {
      const fields = parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, required, description, schema }) => ({
          name,
          required,
          schema: { ...schema, ...(description && { description }) },
        }));
      return `<h4>${{ path: 'Path', query: 'Query', header: 'Headers' }[place] ?? place}</h4>${renderFields(fields)}`;
    })
    .join('');
}

/** A key, unless the operation is open or for people; sign-in wrote the cookie into the file session.jar. */
function credentialsOf({ method, security, tags }: Listed): string[] {
  if (security === undefined) return ['-H "X-API-Key: $KEY"'];
  if (tags.includes('SCIM')) return ['-H "Authorization: Bearer $SCIM_TOKEN"'];
  if (security.length === 0) return tags.includes('Sign-in') && method === 'POST' ? ['-c session.jar'] : [];
  return method === 'GET' ? ['-b session.jar'] : ['-b session.jar', '-H "Origin: $BASE"'];
}

/** The answer of a success, whatever its status. */
const successOf = ({ responses }: Pick<Listed, 'responses'>) => responses['200'] ?? responses['201'];

/** The fields of a form that have to be sent, files as `-F file=@…`. */
function formOf({ requestBody }: Listed): string[] {
  const schema = requestBody?.content['multipart/form-data']?.schema;
  return (schema?.required ?? []).map((name) => `-F ${name}=@<path of a file>`);
}

function renderExample(operation: Listed, example: unknown): string {
  const body =
    example === undefined
      ? formOf(operation)
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example, null, 2)}'`];
  const lines = [`curl -X ${operation.method} "$BASE${operation.path}"`, ...credentialsOf(operation), ...body];
  return `<h4>Example</h4><pre><code>${escapeMarkup(lines.join(' \\\n  '))}</code></pre>`;
}

function renderOperation(operation: Listed, document: ReferenceDocument): string {
  const [[bodyType, body] = []] = [Object.entries(operation.requestBody?.content ?? {})[0]];
  const [[answerType, answer] = []] = [Object.entries(successOf(operation)?.content ?? {})[0]];
  return `<article id="${operation.operationId}"><h2>${renderText(operation.summary)} <a class="anchor" href="#${operation.operationId}" aria-label="Link to this operation">#</a></h2>
<p class="route">${badge(operation.method)} <code>${escapeMarkup(operation.path)}</code> <span class="id">${operation.operationId}</span></p>
<p>${renderText(operation.description)}</p>
${renderParameters(parametersOf(operation, document))}
${body?.schema ? `<h4>Body <span class="media">${escapeMarkup(bodyType ?? '')}</span></h4>${renderSchema(body.schema)}` : ''}
${answer?.schema ? `<h4>Answer <span class="media">${escapeMarkup(answerType ?? '')}</span></h4>${renderSchema(answer.schema)}` : ''}
${renderExample(operation, body?.example)}</article>`;
}

function renderTag(
  tag: string,
  tags: readonly string[],
  operations: readonly Listed[],
  document: ReferenceDocument,
): string {
  const { schemas } = document.components;
  const names = new Set<string>();
  for (const { requestBody, responses } of operations) {
    collectNames(requestBody, schemas, names);
    collectNames(successOf({ responses }), schemas, names);
  }
  const named = [...names].sort().flatMap((name) => {
    const schema = schemas[name];
    if (!schema) return [];
    const about = schema.description ? `<p>${renderText(schema.description)}</p>` : '';
    return [
      `<article id="schema-${name}"><h3>${name}</h3>${schema.properties ? about : ''}${renderSchema(schema)}</article>`,
    ];
  });
  const contents = `<ul class="operations">${operations.map(renderEntry).join('\n')}</ul>`;
  const details = operations.map((operation) => renderOperation(operation, document)).join('\n');
  const appendix = named.length ? `<h2 id="schemas">Schemas</h2>${named.join('\n')}` : '';
  return layout(tag, renderNavigation(tags, tag), contents + details + appendix);
}

/** The reference as pages by their path: `` lists all operations, and each tag has a page. */
export function renderReference(document: ReferenceDocument): Map<string, string> {
  const groups = groupByTag(listOperations(document));
  const tags = [...groups.keys()];
  return new Map([
    ['', renderIndex(groups)],
    ...[...groups].map(([tag, operations]): [string, string] => [
      slugOf(tag),
      renderTag(tag, tags, operations, document),
    ]),
  ]);
}
