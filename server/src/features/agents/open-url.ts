const template = String.raw`\{\{\s*[\w.-]+\s*\}\}`;
const onlyTemplate = new RegExp(`^(?:(?:Bearer|Basic|Token|ApiKey)\\s+)?${template}$`, 'i');
/** Holds no secret: empty, or a template that names one. */
export const isOpen = (value: string) => value === '' || onlyTemplate.test(value);

const secretName =
  /(?:^|_)(?:auth|authorization|pass|passwd|password|pwd|secret|token|api_?key|access_?key|private_?key|credentials?|signature|sig|cookie|jwt)$/;
const snake = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
/** Whether what goes by this name is meant for few eyes. */
export const namesSecret = (name: string) => secretName.test(snake(name));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function openParameters(text: string): string {
  const parameters = text.split('&').filter((parameter) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(parameter) ?? [];
    const known = decoded(name);
    return isOpen(decoded(value)) || !(namesSecret(known) || /^(?:key|code)$/i.test(known));
  });
  return parameters.join('&');
}

/** An address without user, password and those parameters that look like keys. */
export function openUrl(url: string): string {
  const anonymous = url.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*)@/i, (whole, scheme: string, user: string) =>
    user.split(':').every(isOpen) ? whole : scheme,
  );
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(anonymous) ?? [];
  const kept = (part: string) => {
    const parameters = openParameters(part.slice(1));
    return parameters ? part.charAt(0) + parameters : '';
  };
  return path + kept(query) + (fragment.includes('=') ? kept(fragment) : fragment);
}

export const isUrl = (name: string, value: string) =>
  /(?:^|_)ur[li]$/.test(snake(name)) || /^[a-z][a-z\d+.-]*:\/\/\S*$/i.test(value);
