<?php
// Guzzle, with its retry middleware and its exponential delay if as documented: php guzzle.php documented.
require_once 'GuzzleHttp/autoload.php';

use GuzzleHttp\{Client, HandlerStack, Middleware};
use GuzzleHttp\Exception\GuzzleException;

$isDocumented = ($argv[1] ?? '') === 'documented';
$stack = HandlerStack::create();
if ($isDocumented)
    $stack->push(Middleware::retry(fn ($retries, $request, $response, $error) => $retries < 3
        && ($response === null || in_array($response->getStatusCode(), [429, 502, 503, 504]))));
$client = new Client(['handler' => $stack]);

function send($client, $line, $method, $path, $body = null)
{
    $headers = ['api_key' => $line->key, 'content-type' => 'application/json', 'idempotency-key' => bin2hex(random_bytes(16))];
    $options = ['headers' => $headers, 'timeout' => $line->timeoutSeconds, 'body' => $body];
    $text = (string) $client->request($method, $line->url . $path, $options)->getBody();
    return json_decode($text, false, 512, JSON_THROW_ON_ERROR);
}

while (($text = fgets(STDIN)) !== false) {
    $line = json_decode($text);
    try {
        $said = match ($line->do) {
            'describe' => ['result' => [
                'options' => 'timeout: 2' . ($isDocumented ? ', Middleware::retry of 429, 502, 503, 504 and without a response, 3 times' : ''),
                'lacks' => $isDocumented ? ['keys'] : ['retries', 'reconnects', 'keys'],
            ]],
            'readPet' => ['result' => send($client, $line, 'GET', "/pet/{$line->input->id}")],
            'addPet' => ['result' => send($client, $line, 'POST', '/pet', json_encode($line->input->pet))],
            default => ['unclaimed' => 'the adapter does not do this'],
        };
    } catch (GuzzleException | JsonException $error) {
        $said = ['error' => $error->getMessage()];
    }
    echo json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
