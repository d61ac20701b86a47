import { randomUUIDv7 } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { keepMail, trimMail } from '#database/platform/mailbox.ts'
import { html } from '../html/html.ts'
import { wordsIn } from '../words/words.ts'

export interface Message {
  /** The message's id. A message sent again keeps it, so that a mailbox shows the message once. */
  id?: string
  to: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
}

export interface Attachment {
  name: string
  /** Its content type. */
  type: string
  bytes: Buffer
}

export interface Mail {
  /** Sends a message. Rejects when the mail server refuses it. */
  send(message: Message): Promise<void>
  /** The page that shows messages instead of sending them; undefined when they are sent, or stored without a page. */
  mailboxPath: string | undefined
  close(): void
}

export const mailboxPath = '/mailbox'
const keptMails = 500

/** Sends through the SMTP server of `smtpUrl`; without one, messages are kept for the development mailbox. */
export function openMail(options: {
  smtpUrl: string | undefined
  from: string
  /** Shows stored messages without sign-in, including reset links: for development and the demo only. */
  isMailboxShown: boolean
  doors: Pick<Doors, 'withSystem'>
}): Mail {
  const { smtpUrl, from, doors } = options
  if (!smtpUrl) {
    return {
      async send(message) {
        await doors.withSystem('mailbox', async (db) => {
          await keepMail(db, { ...message, id: message.id ?? randomUUIDv7(), at: new Date() })
          await trimMail(db, keptMails)
        })
      },
      mailboxPath: options.isMailboxShown ? mailboxPath : undefined,
      close: () => undefined,
    }
  }
  const transport = createTransport(smtpUrl, {
    from,
    pool: true,
    connectionTimeout: 15_000,
    socketTimeout: 30_000,
  } as object)
  return {
    async send({ id, attachments = [], ...message }) {
      await transport.sendMail({
        ...message,
        attachments: attachments.map(({ name, type, bytes }) => ({
          filename: name,
          contentType: type,
          content: bytes,
        })),
        ...(id && { messageId: `<${id}@gettone>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    mailboxPath: undefined,
    close: () => transport.close(),
  }
}

export interface Letter {
  language: Language
  /** Whose letter it is; by default the product's. */
  brand?: string
  subject: string
  /** The greeting and the text, one entry per paragraph. */
  paragraphs: readonly string[]
  /** The items that the message reports, each with its link. */
  list?: readonly { title: string; text: string; href: string }[]
  button?: { label: string; href: string }
  /** Small text below the button. */
  after?: string
}

/** A message in the product's design, with its plain text. Mail programs ignore style sheets, so styles are inline. */
export function writeLetter(letter: Letter): Omit<Message, 'to'> {
  const words = wordsIn(letter.language, 'identity')
  const { button } = letter
  const list = letter.list ?? []
  const lines = [
    ...letter.paragraphs,
    ...list.map((item) => `${item.title}\n${item.text}\n${item.href}`),
    button && `${button.label}: ${button.href}`,
    letter.after,
    letter.brand ?? words('mail.signature'),
  ].filter(Boolean)
  const small = 'margin:0 0 12px;color:#5d5b55;font-size:13px;line-height:20px'
  const body = html`<!doctype html>
<html lang="${letter.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${letter.subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f6f4;color:#1c1b19;font:15px/23px Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e6e5e1;border-radius:10px">
<p style="margin:0 0 24px;font-size:17px;font-weight:600"><span style="display:inline-block;width:14px;height:14px;margin-right:9px;border-radius:50%;background:#d99a2b;vertical-align:-1px"></span>${letter.brand ?? 'Gettone'}</p>
${letter.paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
${list.map((item) => html`<p style="margin:0;padding:10px 0;border-top:1px solid #e6e5e1"><a href="${item.href}" style="color:#1c1b19;font-weight:600">${item.title}</a><br><span style="color:#5d5b55">${item.text}</span></p>`)}
${button && html`<p style="margin:24px 0"><a href="${button.href}" style="display:inline-block;padding:11px 20px;border-radius:7px;background:#1c1b19;color:#fff;font-weight:600;text-decoration:none">${button.label}</a></p>`}
${letter.after && html`<p style="${small}">${letter.after}</p>`}
${button && html`<p style="${small}">${words('mail.plainLink')}<br><a href="${button.href}" style="color:#8f5f12;word-break:break-all">${button.href}</a></p>`}
</div></body></html>`
  return { subject: letter.subject, text: `${lines.join('\n\n')}\n`, html: body.text }
}
