import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadWords, startWords } from '#portal/app/i18n/i18n.ts'
import { theme } from '#portal/app/theme/theme.ts'
import { screens } from '#portal/screens.ts'
import MissingAddress from '../ui/page/MissingAddress.tsx'
import { ancestorsOf, placeOf } from './menu/menu.ts'

test.each([
  ['/manage/merchant-alarms-settings/$code', '/manage/merchant-alarms-settings'],
  ['/admin/troubleshooting-alarm/$code', '/admin/troubleshooting-alarm'],
  ['/transactions/webpayment-order-details/$webPaymentOrderId', '/transactions/webpayment-orders'],
])('a wrong address of %s leads to the list', async (path, list) => {
  await startWords('en')
  await loadWords(['shell', 'ui', 'errors'])
  const own = screens.find((one) => one.path === path)
  if (!own) throw new Error(`No screen has the path ${path}`)
  const here = { screen: own, ancestors: ancestorsOf(screens, own), place: placeOf(screens, own) }
  const root = createRootRoute()
  const route = createRoute({
    getParentRoute: () => root,
    path,
    component: MissingAddress,
    staticData: { here },
  })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [path.replace(/\$\w+/, 'wrong')] }),
  })
  await router.load()
  render(
    <MantineProvider theme={theme} env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  )
  expect(screen.getByText(/This address is wrong/)).toBeDefined()
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links.at(-1)).toBe(list)
})
