import { IconPackages } from '@tabler/icons-react'
import { part, type Screen } from '#portal/app/screen.ts'

export const warehouseScreens: readonly Screen[] = [
  {
    path: '/stock-places',
    needs: 'stockPlace.read',
    load: () => import('#portal/features/warehouse/place/StockPlaceListScreen.tsx'),
    label: 'stockPlaces',
    words: ['stock-place', 'vocabulary', 'list'],
    menu: { icon: IconPackages },
    feature: 'warehouse',
  },
  {
    path: '/stock-places/create',
    needs: 'stockPlace.write',
    load: async () => part(await import('#portal/features/warehouse/place/stockPlaceRecord.tsx'), 'Create'),
    label: 'newStockPlace',
    words: ['stock-place', 'vocabulary', 'form', 'errors'],
    parent: '/stock-places',
    feature: 'warehouse',
  },
  {
    path: '/stock-places/$stockPlaceId',
    needs: 'stockPlace.read',
    load: async () => part(await import('#portal/features/warehouse/place/stockPlaceRecord.tsx'), 'Page'),
    label: 'stockPlace',
    words: ['stock-place', 'vocabulary', 'assigned'],
    parent: '/stock-places',
    feature: 'warehouse',
  },
  {
    path: '/stock-places/$stockPlaceId/',
    tabOf: '/stock-places/$stockPlaceId',
    needs: 'stockPlace.read',
    load: () => import('#portal/features/warehouse/pieces/PlaceLotsTab.tsx'),
    label: 'stock',
    words: ['piece', 'vocabulary', 'list', 'form', 'errors'],
    feature: 'warehouse',
  },
  {
    path: '/stock-places/$stockPlaceId/movements',
    tabOf: '/stock-places/$stockPlaceId',
    needs: 'stockPlace.read',
    load: () => import('#portal/features/warehouse/pieces/PieceOperationsTab.tsx'),
    label: 'stockMovements',
    words: ['piece', 'vocabulary', 'list'],
    feature: 'warehouse',
  },
  {
    path: '/stock-places/$stockPlaceId/details',
    tabOf: '/stock-places/$stockPlaceId',
    needs: 'stockPlace.read',
    load: async () => part(await import('#portal/features/warehouse/place/stockPlaceRecord.tsx'), 'Details'),
    label: 'details',
    words: ['stock-place', 'vocabulary', 'form', 'editing', 'errors'],
    feature: 'warehouse',
  },
]
