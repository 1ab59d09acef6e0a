import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { ProviderAddress } from '../../providers/driver.ts';
import type { AnswerParts } from './answer-parts.ts';

/** How to ask a model over HTTP for a stream of events, and how to read them. */
export interface Protocol {
  prepare(options: LanguageModelV4CallOptions, address: ProviderAddress, model: string): PreparedRequest;
  /** The provider's message in the parsed body of a refusal; undefined when it has another shape. */
  refusalMessage(body: unknown): string | undefined;
}

export interface PreparedRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON: what is undefined is left out. */
  body: object;
  /** The settings that the protocol or the model does not take. */
  warnings: readonly SharedV4Warning[];
  reader: AnswerReader;
}

/** Reads the events of one answer into parts. */
export interface AnswerReader {
  readonly parts: AnswerParts;
  /** Whether the answer counts as begun. An error that comes earlier is a refusal of the request. */
  readonly begun: boolean;
  /** Takes the data of one event. Throws an UnreadableAnswer, or what the provider says about its error. */
  read(data: string): void;
  /** The provider has closed the stream. */
  end(): void;
}

/** The address that a path of the protocol is at. */
export const urlOf = ({ base_url, provider }: ProviderAddress, path: string): string =>
  `${(base_url ?? provider.addresses.default ?? '').replace(/\/$/, '')}${path}`;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is null, left out, or of this type. */
export const isOptional = (value: unknown, type: 'string' | 'number' | 'boolean'): boolean =>
  value === undefined || value === null || typeof value === type;
