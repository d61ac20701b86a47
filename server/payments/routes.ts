import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { registerAssets } from '../identity/assets.ts'
import type { PaymentDeps } from './account.ts'
import { registerCallbacks } from './callback-routes.ts'
import { registerPayerPages } from './payer-pages.ts'
import { registerSandbox } from './sandbox.ts'

/** The public addresses of web payments: the callbacks of providers, the pages of payers, and in the demo the sandbox provider. */
export async function registerPayments(
  app: FastifyInstance,
  deps: PaymentDeps & { config: Config },
  { hasAssets }: { hasAssets: boolean },
): Promise<void> {
  if (!hasAssets)
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true } as typeof route.schema
      })
      registerAssets(scope)
    })
  await registerCallbacks(app, deps)
  await registerPayerPages(app, deps)
  if (deps.config.DEMO) await registerSandbox(app, deps.config)
}
