import { expect, test } from 'vitest'
import { downKinds, downPayloads, protocolVersion, upKinds } from '#contract/device-protocol.ts'
import { commandTypes } from '#contract/vocabulary/remote-command.ts'
import { readConfig } from '../config.ts'
import { asyncApiDocument } from './asyncapi.ts'

type Document = {
  channels: Record<string, { address: string }>
  operations: Record<string, { action: string }>
  info: { version: string; description: string }
  components: {
    messages: Record<string, { examples: { payload: object }[] }>
    schemas: Record<string, { type?: string; required?: string[]; anyOf?: { title?: string; properties?: object }[] }>
  }
}

test('every kind of message has a channel, an operation and a schema', () => {
  const document = asyncApiDocument(readConfig({}, { production: false })) as Document
  for (const kind of upKinds) {
    expect(document.channels[`up.${kind}`]?.address).toBe(`gettone/v1/{serial}/up/${kind}`)
    expect(document.operations[`receive.${kind}`]?.action).toBe('receive')
  }
  for (const kind of downKinds) expect(document.operations[`send.${kind}`]?.action).toBe('send')
  for (const kind of [...upKinds, ...downKinds].filter((one) => one !== 'command'))
    expect(document.components.schemas[kind]?.type).toBe('object')
  expect(document.components.schemas.sale?.required).toEqual(['id', 'at', 'epoch', 'items'])
})

test('every command lists its parameters', () => {
  const document = asyncApiDocument(readConfig({}, { production: false })) as Document
  const commands = document.components.schemas.command?.anyOf ?? []
  expect(commands.map(({ title }) => title)).toEqual(Object.keys(commandTypes))
  const credit = commands.find(({ title }) => title === 'sendCredit')
  expect(credit).toMatchObject({
    type: 'object',
    properties: {
      type: { const: 5 },
      parameters: { required: ['amount'], properties: { amount: { type: 'integer' } } },
    },
  })
})

test('it contains its version, its limits and the meaning of numbers, and allows future fields', () => {
  const document = asyncApiDocument(readConfig({}, { production: false })) as Document
  expect(document.info.version).toBe(`${protocolVersion}.0`)
  for (const limit of ['262144 bytes', '500 items', '1000 gaps']) expect(document.info.description).toContain(limit)
  const text = JSON.stringify(document)
  for (const meaning of ['0 unknown, 1 sale, 2 freeSale', '1 cash, 2 key', '3 cashless1', '2 remoteCommand, 3 onSite'])
    expect(text).toContain(meaning)
  expect(text).not.toContain('"additionalProperties":false')
})

test('every message has an example that matches its schema', () => {
  const { messages } = (asyncApiDocument(readConfig({}, { production: false })) as Document).components
  for (const kind of upKinds) expect(messages[kind]?.examples.length).toBeGreaterThan(1)
  for (const kind of downKinds)
    for (const { payload } of messages[kind]?.examples ?? []) expect(downPayloads[kind].parse(payload)).toEqual(payload)
})

test('every reference resolves', () => {
  const document = asyncApiDocument(readConfig({}, { production: false }))
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(20)
  for (const path of references) {
    const target = path.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document)
    expect(target, path).toBeDefined()
  }
})
