import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripRemoteImages } from './strip-remote-images.ts';
import { channelApp } from './testing.ts';

const { talk } = await channelApp();
const address = 'https://evil.example/p.png?d=secret';

const forms: Record<string, [string, string]> = {
  'an image': [`a ![chart](${address}) b`, 'a Image: chart b'],
  'an image without words': [`![](${address})`, 'Image'],
  'an image with a title': [`![chart](${address} "title")`, 'Image: chart'],
  'an image in angle brackets': [`![chart](<${address}>)`, 'Image: chart'],
  'an image that is a link': [`[![chart](${address})](https://example.org)`, '[Image: chart](https://example.org)'],
  'an image with parentheses': [`![c](https://evil.example/a(1).png?d=x)`, 'Image: c'],
  'an image over several lines': [`![c](\n${address}\n)`, 'Image: c'],
  'an address without a scheme': ['![c](//evil.example/a.png)', 'Image: c'],
  'an image by reference': [`![c][r]\n\n[r]: ${address}`, `[c][r]\n\n[r]: ${address}`],
  'an element': [`x <img src="${address}" alt="c"> y`, `x < img src="${address}" alt="c"> y`],
  'an element in capitals over lines': [`x <IMG\nSRC='${address}'> y`, `x < IMG\nSRC='${address}'> y`],
  'an element that is not closed': [`x <img src=${address}`, `x < img src=${address}`],
  'a background': [
    `<div style="background:url(${address})">x</div>`,
    `< div style="background:url(${address})">x</div>`,
  ],
  'a poster': [`<video poster="${address}"></video>`, `< video poster="${address}">< /video>`],
};

suite('images of other servers', () => {
  test('are left out in every form that loads them', () => {
    for (const [name, [sent, told]] of Object.entries(forms)) {
      assert.equal(stripRemoteImages(sent), told, name);
      assert.doesNotMatch(stripRemoteImages(sent), /!\[|<img|<[^\s>]+[^>]*(?:src|style|poster)/i, name);
    }
  });

  test('links, sums and images that bring their bytes stay', () => {
    const kept = `[site](${address}) wow! [note] 2 < 3 ![dot](data:image/png;base64,AAAA) \`a<b\``;
    assert.equal(stripRemoteImages(kept), kept);
  });

  test('long replies of nothing but beginnings of images are read quickly', () => {
    for (const piece of ['![', '![a](', '![a](x', '<a ', '<a src', '![a](<', '!']) {
      const began = process.cpuUsage().user;
      stripRemoteImages(piece.repeat(200_000 / piece.length));
      assert.ok(process.cpuUsage().user - began < 2_000_000, piece);
    }
  });
});

test('a channel gets no image of another server, unless its deployment allows them', async () => {
  const text = `Here: ![chart](${address})`;
  const plain = await talk({}, {}, { text });
  await plain.say('Draw');
  assert.equal((await plain.told(0)).text, 'Here: Image: chart');
  const allowing = await talk({}, { config: { allow_remote_images: true } }, { text });
  await allowing.say('Draw');
  assert.equal((await allowing.told(0)).text, text);
});
