import { type Me, users } from '#contract/people/user.ts'
import { dashboards } from '#contract/sales/dashboard.ts'
import { firstScreens } from '#contract/sales/first-screen.ts'
import { call, keyOf } from '../../app/api.ts'
import { queryClient } from '../../app/queryClient.ts'
import { oneOf, readSearch } from '../../app/search.ts'
import { remembered } from '../../app/theme/preferences.ts'

/**
 * The user, in one call with what their first screen needs: their merchants, and on the dashboard its figures. The screens find
 * these as answers of their own calls. `address`: where the user goes, with its query.
 */
export async function loadFirstScreen(address: string): Promise<Me> {
  const [path = '', text = ''] = address.split(/[?#]/)
  const search = readSearch(text)
  // Selected groups narrow the figures.
  const isDashboard = /^\/(?:dashboard)?$/.test(path) && !search.groups
  const merchant = oneOf(search, 'merchant') ?? remembered('merchant')
  const query = { merchant, dashboard: isDashboard ? ('true' as const) : undefined }
  const { me, merchants, merchantId, dashboard } = await call(firstScreens.getFirstScreen, { query })
  queryClient.setQueryData(keyOf(users.listMyMerchants), merchants)
  if (merchantId && dashboard)
    queryClient.setQueryData(keyOf(dashboards.getDashboard, { params: { merchantId } }), dashboard)
  return me
}
