import type { Client, Extras } from './client-types.ts';
import { eachItem } from './each-item.ts';
import { EventStream, type Source } from './event-stream.ts';
import { downloads, isWithoutKey, type OperationId, uploads } from './operation-kinds.ts';
import type { ClientOptions, Query, RequestOptions, StreamOptions } from './options.ts';
import { routeOf, routes } from './routes/routes.ts';
import { formOf, withProgress } from './send-form.ts';
import { makeKey, makeSender, type Prepared } from './send-request.ts';
import { makeReplySource, makeRunSource, makeWorkspaceSource, type Open } from './sources.ts';
import { type UploadCalls, uploadResumable } from './upload-resumable.ts';

interface Route {
  id: string;
  method: string;
  path: string;
}

/** Puts the arguments of a method where they belong: in the path, the query, the body and the options. */
function place({ id, method, path }: Route, args: readonly unknown[]) {
  let index = 0;
  const filled = path.replaceAll('{}', () => {
    const value = String(args[index++] ?? '');
    if (!value) throw new TypeError(`${id} needs argument ${index}`);
    return encodeURIComponent(value);
  });
  const input = args[index];
  const options = (args[index + 1] ?? {}) as RequestOptions & { query?: Query };
  const isRead = method === 'GET' || method === 'DELETE';
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((isRead ? input : options.query) ?? {}))
    for (const entry of [value].flat()) if (entry != null) query.append(name, String(entry));
  const search = String(query);
  return { path: filled + (search && `?${search}`), body: isRead ? undefined : input, options };
}

function makeClient(client: ClientOptions): Client {
  const send = makeSender(client);
  const byId: Record<string, Route> = {};
  const resources: Record<string, Record<string, unknown>> = {};
  const urlOf = (path: string) => (client.baseUrl ?? '').replace(/\/$/, '') + path;

  function prepare(id: string, args: readonly unknown[]): { request: Prepared; options: RequestOptions } {
    const route = byId[id] as Route;
    const { path, body, options } = place(route, args);
    const { method } = route;
    const idempotencyKey = method === 'POST' && !isWithoutKey(id) ? (options.idempotencyKey ?? makeKey()) : undefined;
    const isRepeatable = method === 'GET' || method === 'PUT' || idempotencyKey !== undefined;
    return { request: { method, url: urlOf(path), body, idempotencyKey, isRepeatable }, options };
  }

  async function call(id: string, args: readonly unknown[]): Promise<unknown> {
    const { request, options } = prepare(id, args);
    const { body } = request;
    const field = (uploads as Record<string, string>)[id];
    if (field && (body instanceof Blob || body instanceof FormData || Array.isArray(body))) {
      request.body = formOf(field, body);
      if (options.onProgress) request.fetch = withProgress(client.fetch ?? fetch, options.onProgress);
    }
    return send<unknown>(request, options, (response) => {
      if ((downloads as readonly string[]).includes(id)) return response;
      return response.status === 204 ? undefined : response.json();
    });
  }

  for (const [resource, [base, verbs]] of Object.entries(routes)) {
    const methods: Record<string, unknown> = {};
    resources[resource] = methods;
    for (const [verb, entry] of Object.entries(verbs)) {
      const id = `${resource}.${verb}`;
      const route = { id, ...routeOf(base, verb, entry) };
      byId[id] = route;
      methods[verb] = (...args: unknown[]) => call(id, args);
      if (!verb.startsWith('list')) continue;
      const at = route.path.split('{}').length - 1;
      methods[verb.replace('list', 'each')] = (...args: unknown[]) => {
        const query = args[at] as { page?: number } | undefined;
        const load = (next: object) => call(id, [...args.slice(0, at), { ...query, ...next }, args[at + 1]]);
        return eachItem(load, query?.page);
      };
    }
  }

  /** Opens a stream once; the stream itself sees to repeats. */
  const open = (id: OperationId, args: unknown[], last: string | undefined, signal: AbortSignal | undefined) => {
    const { request, options } = prepare(id, args);
    const headers = { ...options.headers, accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
    return send(request, { ...options, signal, maxRetries: 0, headers }, ({ body }) => body as ReadableStream);
  };

  type Make<T> = (open: Open, last: string | undefined) => Source<T>;
  const stream = <T>(make: Make<T>, options: StreamOptions, openAt: Open) =>
    new EventStream(make(openAt, options.lastEventId), options, client.retryPause);

  /** An answer that is begun by a POST, and goes on by a GET. */
  function reply(begin: OperationId, path: string[], body: unknown, join: OperationId, options: StreamOptions) {
    const { headers, idempotencyKey = makeKey(), query } = options;
    const sent = { headers, idempotencyKey, query: { ...query, format: 'ui' } };
    return stream(makeReplySource, options, (last, signal) =>
      last === undefined
        ? open(begin, [...path, body, sent], last, signal)
        : open(join, [path[0], { format: 'ui' }, { headers }], last, signal),
    );
  }

  /** An answer that was begun elsewhere. */
  const join = (id: OperationId, path: string, options: StreamOptions & { etag?: string | undefined } = {}) =>
    stream(makeReplySource, options, (last, signal) =>
      open(id, [path, { format: 'ui', etag: last ? undefined : options.etag }, options], last, signal),
    );

  const follow = 'messages.follow';
  const followPublic = 'publicConversations.follow';
  const extras: Extras = {
    conversations: {
      stream: (id, body, options = {}) => reply('messages.stream', [id], body, follow, options),
      streamEdit: (id, message, body, options = {}) => reply('messages.edit', [id, message], body, follow, options),
      streamRegenerate: (id, message, { modelSelection, ...options } = {}) =>
        reply(
          'messages.regenerate',
          [id, message],
          modelSelection && { model_selection: modelSelection },
          follow,
          options,
        ),
      events: (id, options) => join(follow, id, options),
    },
    publicConversations: {
      stream: (token, body, options = {}) => reply('publicConversations.stream', [token], body, followPublic, options),
      events: (token, options) => join(followPublic, token, options),
    },
    runs: {
      stream: (id, options) => join('runs.follow', id, options),
      events: (id, options = {}) =>
        stream(makeRunSource, options, (after, signal) =>
          open('runs.follow', [id, { format: 'json', after }, options], undefined, signal),
        ),
    },
    files: {
      async uploadResumable(file, options = {}) {
        const id = await uploadResumable(
          resources['uploads'] as unknown as UploadCalls,
          file,
          options,
          client.retryPause,
        );
        return (await call('files.get', [id])) as Awaited<ReturnType<Extras['files']['uploadResumable']>>;
      },
    },
  };
  for (const [name, methods] of Object.entries(extras)) Object.assign(resources[name] as object, methods);

  return Object.assign(resources, {
    options: client,
    inWorkspace: (workspaceId: string | undefined) => makeClient({ ...client, workspaceId }),
    url: (id: string, ...args: unknown[]) => urlOf(place(byId[id] as Route, args).path),
    events: (options: StreamOptions & { types?: string | string[] } = {}) =>
      stream(makeWorkspaceSource, { maxRetries: 1 / 0, ...options }, (last, signal) =>
        open('events.follow', [{ types: options.types && String(options.types) }, options], last, signal),
      ),
  }) as unknown as Client;
}

/** A client of the Atrium API. Its methods are the operations of the contract: `client.agents.list({ search })`. */
export const Atrium = function Atrium(options: ClientOptions = {}) {
  return makeClient(options);
} as unknown as new (
  options?: ClientOptions,
) => Client;
export type Atrium = Client;
