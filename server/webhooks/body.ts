/** The body of a message. Its facts are put in as they are stored, so that a repeated request has the same bytes. */
export function bodyOf(
  message: { id: string; event: string; at: Date; data: string },
  { merchantId, currency }: { merchantId: string; currency: string },
): string {
  const head = { id: message.id, type: message.event, timestamp: message.at.toISOString(), merchantId, currency }
  return `${JSON.stringify(head).slice(0, -1)},"data":${message.data}}`
}
