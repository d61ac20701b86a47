import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const Group = z.strictObject({ id: z.uuid(), merchantId: z.uuid(), name: z.string(), machines: z.int() })
export type Group = z.infer<typeof Group>

export const groups = {
  listGroups: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups',
    summary: 'Groups of machines one may see',
    needs: 'group.read',
    ok: z.array(Group),
  }),
}
