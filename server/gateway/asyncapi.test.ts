import { expect, test } from 'vitest'
import { downKinds, upKinds } from '#contract/device-protocol.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { readConfig } from '../config.ts'
import { asyncApiDocument } from './asyncapi.ts'

type Document = {
  channels: Record<string, { address: string }>
  operations: Record<string, { action: string }>
  components: {
    schemas: Record<string, { type?: string; required?: string[]; anyOf?: { title?: string; properties?: object }[] }>
  }
}

test('every kind of message has its channel, its operation and its schema', () => {
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

test('every command says which parameters it brings', () => {
  const document = asyncApiDocument(readConfig({}, { production: false })) as Document
  const commands = document.components.schemas.command?.anyOf ?? []
  expect(commands.map(({ title }) => title)).toEqual(Object.values(remoteCommandTypes))
  const credit = commands.find(({ title }) => title === 'sendCredit')
  expect(credit).toMatchObject({
    type: 'object',
    properties: {
      type: { const: 5 },
      parameters: { required: ['amount'], properties: { amount: { type: 'integer' } } },
    },
  })
})

test('every reference leads somewhere', () => {
  const document = asyncApiDocument(readConfig({}, { production: false }))
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(20)
  for (const path of references) {
    const found = path.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document)
    expect(found, path).toBeDefined()
  }
})
