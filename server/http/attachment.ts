import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'

interface Attachment {
  /** Of the file, with its ending, in the reader's language. */
  name: string
  /** Its media type. */
  type: string
  content: Parameters<FastifyReply['send']>[0]
  /** In bytes, if it is known. */
  size?: number
}

/** Answers a call with a file, which a browser saves under its name. */
export function sendAttachment(reply: FastifyReply, { name, type, content, size }: Attachment): undefined {
  // Names of a file system: no separators, and nothing unseen.
  const safe = name.replaceAll(/[/\\:*?"<>|\p{C}]/gu, '-').trim()
  // For readers of plain ASCII; a name without its letters keeps its ending.
  const plain = safe
    .normalize('NFKD')
    .replaceAll(/[^\w .-]/g, '')
    .trim()
  reply
    .type(type)
    .header('content-disposition', create(safe, { fallback: plain.startsWith('.') ? `file${plain}` : plain }))
  if (size !== undefined) reply.header('content-length', size)
  reply.send(content)
  return undefined
}
