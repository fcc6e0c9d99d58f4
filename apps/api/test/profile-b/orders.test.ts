import { describe, expect } from 'vitest'
import { OrderId, ProductId, UserId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

const order = { user_id: UserId.example, product_id: ProductId.example, quantity: 2 }

describe('POST /orders', () => {
  test('responds 200 with a new order id, the user and the product', async ({ service }) => {
    const { user_id, product_id } = order
    const responses = [await service.post('/orders', order), await service.post('/orders', order)]
    for (const response of responses) {
      expect(response.status).toBe(200)
      expect(response.json).toEqual({ order_id: expect.any(String), user_id, product_id })
      expect(OrderId.is(response.json.order_id)).toBe(true)
    }
    expect(responses[0]?.json.order_id).not.toBe(responses[1]?.json.order_id)
  })

  test.for(['user_id', 'product_id'] as const)(
    'responds 422 for another type of id in %s',
    async (field, { service }) => {
      const other = field === 'user_id' ? order.product_id : order.user_id
      for (const value of [other, 'garbage', null, UserId.toShort(order.user_id)]) {
        const response = await service.post('/orders', { ...order, [field]: value })
        expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['body', field] }] } })
      }
    },
  )

  test.for([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accepts a quantity of %j: the specification says integer, and no more',
    async (quantity, { service }) => {
      expect(await service.post('/orders', { ...order, quantity })).toMatchObject({ status: 200 })
    },
  )

  test.for([1.5, '2', null, true, 2 ** 53])(
    'responds 422 for a quantity of %j',
    async (quantity, { service }) => {
      const response = await service.post('/orders', { ...order, quantity })
      expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['body', 'quantity'] }] } })
    },
  )

  test('responds 422 with every missing field', async ({ service }) => {
    const response = await service.post('/orders', {})
    const locs = response.json.detail.map((issue: { loc: unknown }) => issue.loc)
    expect(locs).toEqual([
      ['body', 'user_id'],
      ['body', 'product_id'],
      ['body', 'quantity'],
    ])
  })
})
