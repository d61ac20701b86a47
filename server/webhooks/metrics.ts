import { Counter } from 'prom-client'

export const attemptsMade = new Counter({
  name: 'gettone_webhook_attempts_total',
  help: 'Requests to webhooks, by outcome: accepted or failed.',
  labelNames: ['outcome'],
})
