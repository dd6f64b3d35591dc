%% Sequential gen_server:call of one supervised, registered server; prints `done <count> <microseconds>`.
-module(call_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 60},
          [#{id => echo, start => {echo_server, start_link, []}}]}}.

main(Count) ->
    {ok, _} = supervisor:start_link({local, root}, ?MODULE, []),
    loop(Count div 5),
    Before = gen_server:call(echo, count),
    Start = erlang:monotonic_time(microsecond),
    loop(Count),
    Elapsed = erlang:monotonic_time(microsecond) - Start,
    Done = gen_server:call(echo, count) - Before,
    io:format("done ~p ~p~n", [Done, Elapsed]).

loop(0) -> ok;
loop(N) ->
    #{<<"sequence">> := N} = gen_server:call(echo, payload(N), 30000),
    loop(N - 1).

payload(N) ->
    #{<<"sequence">> => N, <<"kind">> => <<"measurement">>, <<"unit">> => <<"degree-celsius">>, <<"value">> => 21.5}.
