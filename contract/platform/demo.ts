import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'

/** Actions of the demo's super admin on a simulated machine. */
export const demoActions = ['jam', 'cutSignal', 'emptySelection', 'editPrice', 'recover'] as const
export const DemoAction = z.enum(demoActions)
export type DemoAction = z.infer<typeof DemoAction>

export const demo = {
  getSimulation: endpoint({
    method: 'GET',
    path: '/demo/merchants/{merchantId}/pos/{posId}',
    summary: 'Get whether a machine is simulated (demo only)',
    needs: 'demo.control',
    topics: ['machine', 'alarm', 'transaction', 'audit', 'group', 'client'],
    ok: z.strictObject({ isSimulated: z.boolean() }),
    fails: ['DemoOnly', 'MachineNotFound', 'ServiceUnavailable'],
  }),
  actOnMachine: endpoint({
    method: 'POST',
    path: '/demo/merchants/{merchantId}/pos/{posId}',
    summary: 'Trigger an event on a simulated machine (demo only)',
    needs: 'demo.control',
    body: z.strictObject({ action: DemoAction }),
    status: 202,
    ok: z.strictObject({ action: DemoAction }),
    fails: ['DemoOnly', 'MachineNotFound', 'ServiceUnavailable'],
  }),
}
