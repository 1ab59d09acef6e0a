/** Secrets by the formats of their issuers, and words after labels such as "password". */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeprs]|hf|npm|pypi|dop_v1|shpat|atr)[-_][\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /(?<=\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=\b(?:pass(?:wor[dt]|phrase|wd|code)|kennwort|pwd|secret|api[ _-]?key|access[ _-]?token|token|credentials?|pin)\b["']?\s{0,3}(?:(?:is|=|:|was|lautet|ist)\s{0,3}){1,2}["'`]?)[^\s"'`,;]{4,200}/gi,
  // Without a separator, only a mix of letters and digits counts.
  /(?<=\b(?:pass(?:wor[dt]|phrase|wd|code)|kennwort|pwd|api[ _-]?key)\s{1,3}["'`]?)(?=[^\s"'`,;]{0,200}\d)(?=[^\s"'`,;]{0,200}[a-z])[^\s"'`,;]{6,200}/gi,
];

/** Removes secrets from a text that is stored. */
export const withoutSecrets = (text: string): string =>
  patterns.reduce((left, pattern) => left.replaceAll(pattern, '[SECRET]'), text);
