import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { install } from './installation.ts'
import { atMostTimes, compare, type Measurement } from './measure.ts'
import { daysBack, historyDays } from './period.ts'

const calls = 100
const deepPage = 10_000

interface Page {
  items: { id: string }[]
  next: string | null
}

export const paging: Measurement = {
  title: 'Paging through a million transactions',
  about: `The list of all merchants' transactions, newest first, 20 rows per page, over HTTP. A client follows the links from page to page down
    to page 10,000, behind 199,980 rows (in larger steps that end at the same link). It then fetches that page and the first page
    alternately.`,
  async run({ say }) {
    const installation = await install(say)
    const server = await installation.serve()
    const client = await server.signIn('superAdmin')
    try {
      const { startDate, endDate } = daysBack(historyDays)
      const first = `/merchants/${allMerchants}/transactions/paged?startDate=${startDate}&endDate=${endDate}&size=20`
      // Reaches distant pages in large steps. A link points to the start of the next page, whatever the size of the
      // previous page.
      let link = ''
      let rows = 0
      while (rows < (deepPage - 1) * 20) {
        const size = Math.min(500, (deepPage - 1) * 20 - rows)
        const page = await client.json<Page>(`${first.replace('size=20', `size=${size}`)}${link}`)
        rows += page.items.length
        if (!page.next) throw new Error(`There are only ${rows} transactions to page through.`)
        link = `&cursor=${encodeURIComponent(page.next)}`
      }
      const deep = `${first}${link}`
      const { items } = await client.json<Page>(deep)
      if (items.length !== 20) throw new Error(`Page ${deepPage} has ${items.length} rows.`)
      const compared = await compare(
        { name: `page ${deepPage}`, once: () => client.get(deep) },
        { name: 'page 1', once: () => client.get(first) },
        calls,
      )
      return [atMostTimes(`page ${deepPage.toLocaleString('en')} of the transactions`, compared, 2, 'page 1')]
    } finally {
      client.close()
      await server.stop()
      await installation.stop()
    }
  },
}
