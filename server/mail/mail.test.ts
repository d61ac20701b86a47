import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mail, openMail } from './mail.ts'

/** A typical mail server: it requires sign-in, accepts mail, and refuses the recipient "gone". */
const arrived: { from: string; to: string[]; text: string }[] = []
const server = new SMTPServer({
  authOptional: false,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth({ username, password }, _, answer) {
    if (username === 'gettone' && password === 'p@ss/word') answer(null, { user: username })
    else answer(new Error('Invalid username or password'))
  },
  onRcptTo({ address }, _, answer) {
    const refusal = Object.assign(new Error('No such mailbox'), { responseCode: 550 })
    answer(address.startsWith('gone@') ? refusal : null)
  },
  onData(stream, { envelope }, answer) {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      arrived.push({ from, to: envelope.rcptTo.map(({ address }) => address), text })
      answer(null)
    })
  },
})

const doors = { withSystem: () => Promise.reject(new Error('Nothing is kept where mail is sent')) }
const openedFor = (credentials: string): Mail => {
  const { port } = server.server.address() as AddressInfo
  const smtpUrl = `smtp://${credentials}@127.0.0.1:${port}`
  return openMail({ smtpUrl, from: 'Gettone <no-reply@gettone.test>', isMailboxShown: true, doors })
}
const message = { to: 'ada@example.test', subject: 'Invitación a Gettone', text: 'Hola', html: '<p>Hola</p>' }

let mail: Mail
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mail = openedFor(`gettone:${encodeURIComponent('p@ss/word')}`)
})
afterAll(async () => {
  mail.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

test('a mail server receives the complete message under its own id, and no mailbox page shows it', async () => {
  expect(mail.mailboxPath).toBeUndefined()
  await mail.send({ ...message, id: 'invitation-1' })
  const [one] = arrived
  expect(one).toMatchObject({ from: 'no-reply@gettone.test', to: ['ada@example.test'] })
  expect(one?.text).toMatch(/^From: Gettone <no-reply@gettone\.test>\r$/m)
  expect(one?.text).toMatch(/^Message-ID: <invitation-1@gettone>\r$/m)
  expect(one?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(one?.text).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(one?.text).toContain('text/plain')
  expect(one?.text).toContain('<p>Hola</p>')
})

test('an address that the server refuses is an error for the sender', async () => {
  await expect(mail.send({ ...message, to: 'gone@example.test' })).rejects.toMatchObject({ responseCode: 550 })
})

test('a recipient or subject with a line break adds no header and no recipient', async () => {
  const before = arrived.length
  await mail.send({ ...message, subject: 'Hello\r\nBcc: eve@example.test' })
  expect(arrived[before]?.to).toEqual(['ada@example.test'])
  expect(arrived[before]?.text).not.toMatch(/^Bcc:/m)
})

test('wrong credentials send nothing', async () => {
  const wrong = openedFor('gettone:guess')
  const count = arrived.length
  await expect(wrong.send(message)).rejects.toMatchObject({ code: 'EAUTH' })
  expect(arrived).toHaveLength(count)
  wrong.close()
})
