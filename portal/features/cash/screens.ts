import { IconCoins } from '@tabler/icons-react'
import type { Screen } from '#portal/app/screen.ts'

export const cashScreens: readonly Screen[] = [
  {
    path: '/devices/$posId/cash',
    tabOf: '/devices/$posId',
    needs: 'machine.read',
    load: () => import('#portal/features/cash/machine-cash/CashTab.tsx'),
    label: 'cash',
    words: ['cash', 'vocabulary', 'list'],
  },
  {
    path: '/devices/collections',
    needs: 'collection.read',
    load: () => import('#portal/features/cash/collection/CollectionListScreen.tsx'),
    label: 'collections',
    words: ['cash-collection', 'vocabulary', 'list'],
    menu: { icon: IconCoins, key: 'e' },
  },
  {
    path: '/devices/collections/$collectionId',
    needs: 'collection.read',
    load: () => import('#portal/features/cash/collection/CollectionScreen.tsx'),
    label: 'collection',
    words: ['cash-collection', 'cash', 'vocabulary', 'form'],
    parent: '/devices/collections',
  },
  {
    path: '/devices/rounds/$roundId/money',
    tabOf: '/devices/rounds/$roundId',
    needs: 'round.read',
    load: () => import('#portal/features/cash/round-money/RoundMoneyTab.tsx'),
    label: 'cash',
    words: ['round-money', 'form', 'errors'],
    feature: 'productStock',
  },
]
